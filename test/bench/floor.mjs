// The least that a chat can be: writes what is typed and what the server streams, as it comes. It keeps nothing.
import { request } from 'node:http';
import process from 'node:process';

const { stdin, stdout } = process;
const PROMPT = 'Type a message';
let typed = '';

function ask(content) {
  const body = JSON.stringify({ model: 'floor', stream: true, messages: [{ role: 'user', content }] });
  const to = request(`${process.env.OPENAI_BASE_URL}/chat/completions`, { method: 'POST' }, (response) => {
    let rest = '';
    response.setEncoding('utf8').on('data', (part) => {
      const lines = (rest + part).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines)
        if (line.startsWith('data: {')) stdout.write(textOf(line.slice(6)).replaceAll('\n', '\r\n'));
    });
    response.on('end', () => stdout.write(`\r\ndone\r\n${PROMPT}\r\n`));
  });
  to.end(body);
}

const textOf = (json) => JSON.parse(json).choices[0]?.delta?.content ?? '';

stdin.setRawMode(true).setEncoding('utf8');
stdin.on('data', (keys) => {
  for (const key of keys) {
    if (key === '\x03') process.exit(0);
    if (key === '\x15') typed = '';
    else if (key === '\r') {
      ask(typed);
      typed = '';
    } else {
      typed += key;
      stdout.write(key);
    }
  }
});
stdout.write(`${PROMPT}\r\n`);
