// Loaded into the program by a test: on SIGUSR2 it collects what is garbage and writes the size of the heap to a file.
import { appendFileSync } from 'node:fs';
import process from 'node:process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const file = process.env.HARNESS_CHAT_TEST_HEAP;
if (file) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    collect();
    appendFileSync(file, `${process.memoryUsage().heapUsed}\n`);
  });
}
