// Brings node_modules and dist up to date, and says what it does. Nothing is done twice: packages are installed where the
// lock file names another set than is there, and the build runs where a source is another than the last build saw.
//   node build.mjs [--install] [--force] [--types]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

const root = import.meta.dirname;
const at = (...path) => join(root, ...path);
const say = (text) => process.stderr.write(`harness-chat: ${text}\n`);

function packagesMissing() {
  if (!existsSync(at('node_modules', '.package-lock.json'))) return true;
  const wanted = JSON.parse(readFileSync(at('package-lock.json'), 'utf8')).packages;
  const there = JSON.parse(readFileSync(at('node_modules', '.package-lock.json'), 'utf8')).packages;
  return Object.entries(wanted).some(([path, { version, optional }]) => {
    if (path === '') return false;
    return there[path] ? there[path].version !== version : !optional;
  });
}

function install() {
  say('installing packages …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const run = spawnSync(npm, ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (run.status !== 0) {
    say('npm ci failed; see above');
    process.exit(run.status ?? 1);
  }
}

function sourceFiles(folder) {
  return readdirSync(at(folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function fingerprint() {
  const hash = createHash('sha256').update(process.env.HARNESS_CHAT_BUILD ?? '');
  const files = [
    ...sourceFiles('src'),
    at('package.json'),
    at('package-lock.json'),
    at('tsconfig.json'),
    at('build.mjs'),
  ];
  for (const file of files) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

/** Ink asks for its developer tools in one branch that production never takes. */
const withoutDevtools = {
  name: 'without-devtools',
  setup(build) {
    build.onResolve({ filter: /^\.\/devtools\.js$/ }, ({ path, importer }) =>
      /ink.build/.test(importer) ? { path, namespace: 'stub' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'stub' }, () => ({ contents: '' }));
  },
};

/** Ink measures text as the view does: the package it asks compiles large expressions at the first sign beyond ASCII. */
const lightWidths = {
  name: 'light-widths',
  setup(build) {
    build.onResolve({ filter: /^string-width$/ }, ({ importer }) =>
      importer.includes('node_modules') ? { path: at('src', 'ui', 'ink-width.ts') } : undefined,
    );
  },
};

/** The module's body runs at the first call: its regular expressions take as long as half of a start. */
const lateWidths = {
  name: 'late-widths',
  setup(build) {
    build.onLoad({ filter: /string-width\/index\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const [, imports, body, rest] =
        /^((?:import .*\n)+)([\s\S]*)export default (function [\s\S]*)$/.exec(source) ?? [];
      if (!rest) return { errors: [{ text: 'string-width has changed: look at lateWidths' }] };
      const late = 'let made;\nexport default (...given) => (made ??= make())(...given);';
      return { contents: `${imports}${late}\nfunction make() {\n${body}return ${rest}\n}\n` };
    });
  },
};

/** Yoga would fetch its own bytes by a data URL, for which Node loads its whole HTTP client. */
const yogaFromMemory = {
  name: 'yoga-from-memory',
  setup(build) {
    build.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const contents = source.replace('w||"function"!=typeof fetch', 'true');
      return contents === source ? { errors: [{ text: 'yoga has changed: look at yogaFromMemory' }] } : { contents };
    });
  },
};

/** Packages without a file of it whose holder and licence are those of another one. */
const LICENCE_OF = { 'yoga-layout': 'react' };

/** The full texts of the licences of all packages of which something stands in the bundle. */
function licences(metafile) {
  const folders = Object.keys(metafile.inputs).flatMap(
    (path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? [],
  );
  const texts = [...new Set(folders)].map((folder) => {
    const { name, version, license, homepage } = JSON.parse(readFileSync(at(folder, 'package.json'), 'utf8'));
    const source = LICENCE_OF[name] ? join('node_modules', LICENCE_OF[name]) : folder;
    const files = readdirSync(at(source)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
    if (!license || files.length === 0) say(`${name} brings no text of a licence`);
    const all = files.map((file) => readFileSync(at(source, file), 'utf8').trim());
    return `${name} ${version} (${license})${homepage ? `\n${homepage}` : ''}\n\n${all.join('\n\n')}\n`;
  });
  const rule = `\n${'-'.repeat(80)}\n\n`;
  return `The program is bundled with these packages.\n${rule}${texts.sort().join(rule)}`;
}

/** What builds that were killed have left behind; one that still runs keeps its folder. */
function sweep() {
  for (const name of readdirSync(root)) {
    const [, pid] = /^dist\.(\d+)$/.exec(name) ?? [];
    if (pid && !isAlive(Number(pid))) rmSync(at(name), { recursive: true, force: true });
  }
}
function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

async function build(esbuild, stamp) {
  const began = performance.now();
  sweep();
  const fresh = at(`dist.${process.pid}`);
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh);
  const { metafile } = await esbuild.build({
    absWorkingDir: root,
    metafile: true,
    entryPoints: { cli: 'src/cli/main.ts', index: 'src/index.ts' },
    outdir: fresh,
    bundle: true,
    splitting: true,
    minify: true,
    legalComments: 'none',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    jsx: 'automatic',
    chunkNames: 'chunks/[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
    plugins: [withoutDevtools, lightWidths, lateWidths, yogaFromMemory],
    logLevel: 'warning',
  });
  writeFileSync(join(fresh, 'LICENSES.txt'), licences(metafile));
  writeFileSync(join(fresh, 'fingerprint'), stamp);
  rmSync(at('dist'), { recursive: true, force: true });
  renameSync(fresh, at('dist'));
  say(`built in ${Math.round(performance.now() - began)} ms`);
}

/** Declarations for library users; only the package needs them, so only `npm pack` waits for them. */
function emitTypes() {
  say('writing declarations …');
  const tsc = at('node_modules', 'typescript', 'bin', 'tsc');
  const run = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.types.json'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (run.status !== 0) process.exit(run.status ?? 1);
}

if (process.argv.includes('--install') && packagesMissing()) install();
const stamp = fingerprint();
const last = existsSync(at('dist', 'fingerprint')) ? readFileSync(at('dist', 'fingerprint'), 'utf8') : '';
if (process.argv.includes('--force') || last !== stamp) {
  const esbuild = await import('esbuild').catch(() => undefined);
  if (esbuild) await build(esbuild, stamp);
  else say('esbuild is not installed, so nothing was built');
}
if (process.argv.includes('--types')) emitTypes();
