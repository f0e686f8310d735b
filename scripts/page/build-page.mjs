// Builds the web page (src/page) into dist/web when its sources, the client or the packages have changed since the last
// time. Quick when not: pre-scripts run it. `--watch` builds again after each change.
import { createHash, randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(`../../${relative}`, import.meta.url));
const OUT = path('dist/web');
const STAMP = join(OUT, '.stamp');
const SOURCES = ['src/page', 'src/client', 'src/catalogue'];
const FILES = ['package-lock.json', '.config/vite.config.mjs', 'scripts/page/build-page.mjs'];
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
/** Smaller files are sent as they are. */
const WORTH_COMPRESSING_BYTES = 500;

function fingerprint() {
  const hash = createHash('sha256');
  for (const folder of SOURCES) {
    const names = readdirSync(path(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((name) => !/\.md$|\/(generated|dist|node_modules)\//.test(name));
    for (const name of names.sort()) hash.update(name.slice(path('').length)).update(readFileSync(name));
  }
  for (const name of FILES) hash.update(readFileSync(path(name)));
  return hash.digest('hex');
}

function stamped() {
  try {
    return readFileSync(STAMP, 'utf8');
  } catch {
    return '';
  }
}

async function buildIfChanged() {
  const wanted = fingerprint();
  if (stamped() === wanted) return;
  process.stderr.write('Building the page …\n');
  // Into a folder of its own first: a program that serves the page never sees half of it.
  const made = path(`dist/.web-${randomUUID()}`);
  try {
    const { build } = await import('vite');
    const { default: config } = await import('../../.config/vite.config.mjs');
    await build({ ...config, build: { ...config.build, outDir: made } });
    await compress(made);
    writeFileSync(join(made, '.stamp'), wanted);
    rmSync(OUT, { recursive: true, force: true });
    renameSync(made, OUT);
  } catch (error) {
    // Another build was quicker; both made the same.
    if (stamped() !== wanted) throw error;
  } finally {
    rmSync(made, { recursive: true, force: true });
  }
}

/** Writes each text file also as .br and .gz, so that the API compresses nothing. */
async function compress(/** @type {string} */ folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const texts = names.filter((name) => /\.(js|css|html|svg|json|webmanifest)$/.test(name));
  await Promise.all(
    texts.map(async (name) => {
      const bytes = readFileSync(join(folder, name));
      if (bytes.byteLength < WORTH_COMPRESSING_BYTES) return;
      const [br, gz] = await Promise.all([
        promisify(brotliCompress)(bytes, BROTLI),
        promisify(gzip)(bytes, { level: 9 }),
      ]);
      writeFileSync(join(folder, `${name}.br`), br);
      writeFileSync(join(folder, `${name}.gz`), gz);
    }),
  );
}

mkdirSync(path('dist'), { recursive: true });
await buildIfChanged();

if (process.argv.includes('--watch')) {
  console.log('The page is built. It is built again after each change of src/page; Ctrl-C ends this.');
  let waiting = Promise.resolve();
  const again = () => {
    waiting = waiting.then(buildIfChanged).catch((error) => console.error(String(error?.message ?? error)));
  };
  /** @type {NodeJS.Timeout | undefined} */
  let soon;
  watch(path('src/page'), { recursive: true }, () => {
    clearTimeout(soon);
    soon = setTimeout(again, 100);
  });
}
