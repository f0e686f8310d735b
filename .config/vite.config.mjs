import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (/** @type {string} */ relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));

/** The classes of all style sheets, in an order that each build finds again: a class gets its number there as its name. */
const CLASSES = new Set(
  readdirSync(path('src/page'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.module.css'))
    .sort()
    .flatMap((name) => {
      const file = path(`src/page/${name}`);
      return [...readFileSync(file, 'utf8').matchAll(/\.([a-z][\w-]*)/gi)].map(
        ([, each]) => `${file} ${each}`,
      );
    }),
);
const nameOf = (/** @type {string} */ name, /** @type {string} */ file) => {
  // While the page is watched, a class may be new.
  const key = `${file.split('?')[0]} ${name}`;
  return `_${[...CLASSES.add(key)].indexOf(key).toString(36)}`;
};

export default defineConfig({
  configFile: false,
  root: path('src/page'),
  cacheDir: path('node_modules/.cache/vite'),
  // The page works below any path of a proxy.
  base: './',
  logLevel: 'warn',
  // The page is written for React. Preact, which has the same interface, makes the first load 58 KB (gzip) smaller.
  resolve: {
    alias: {
      'react-dom/client': 'preact/compat/client',
      'react-dom': 'preact/compat',
      'react/jsx-runtime': 'preact/jsx-runtime',
      react: 'preact/compat',
    },
  },
  css: { modules: { generateScopedName: nameOf } },
  build: {
    outDir: path('dist/web'),
    emptyOutDir: true,
    target: 'es2022',
    // Otherwise light-dark() is rewritten, and a dark part of a light page stays light.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The content security policy forbids data: addresses.
    assetsInlineLimit: 0,
    // Its code would need a policy for inline scripts, and without it nothing starts in Firefox.
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: [path('src/page/index.html'), path('src/page/notify/sw.ts')],
      // A service worker needs a name that stays, above everything that it is for.
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js'),
        // One script and one style sheet for all that the first screen needs, and one for the small parts of most others: each
        // further file waits for the network, and small ones compress badly.
        codeSplitting: {
          groups: [
            { name: 'first', test: /src\/page\/main\.tsx$/ },
            {
              name: 'kit',
              test: /src\/page\/(kit\/(form|tills|timezone|table|tabs|copy-text|image-view)|shell\/tabbed)/,
            },
          ],
        },
      },
      // Directives for React servers, of which there is none here.
      onLog: (level, log, handle) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && handle(level, log),
      checks: { pluginTimings: false },
    },
  },
});
