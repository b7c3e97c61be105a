#!/usr/bin/env node
// Starts the built program; nothing else.
import * as nodeModule from 'node:module';

const least = [20, 20];
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < least[0] || (major === least[0] && minor < least[1])) {
  console.error(`harness-chat: Node ${least.join('.')} or newer is needed, this is ${process.versions.node}`);
  process.exit(2);
}
if (nodeModule.enableCompileCache) nodeModule.enableCompileCache();
await import('../dist/cli.js');
