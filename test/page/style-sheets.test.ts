import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from '@jest/globals';

const PAGE = 'src/page';
const read = (path: string) => readFileSync(path, 'utf8');
const paths = readdirSync(PAGE, { recursive: true, encoding: 'utf8' }).map((name) => join(PAGE, name));
const scripts = paths.filter((path) => path.endsWith('.tsx')).map((path) => ({ path, text: read(path) }));

/** The classes in the selectors of a style sheet. */
const classesOf = (path: string): ReadonlySet<string> =>
  new Set(
    [...read(path).matchAll(/([^{};]+)\{/g)].flatMap(([, selector = '']) =>
      [...selector.replace(/\/\*.*?\*\/|:global\([^)]*\)/gs, '').matchAll(/\.([a-z][\w-]*)/gi)].map(
        ([, name = '']) => name,
      ),
    ),
  );

/** How the scripts name the classes of a module; a name that is computed may be each. */
const usesOf = (sheet: string) =>
  scripts.flatMap(({ path, text }) =>
    [...text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)]
      .filter(([, , from = '']) => normalize(join(dirname(path), from)) === sheet)
      .map(([, local = '']) => ({
        names: [...text.matchAll(new RegExp(`(?<![\\w/.])${local}\\.([a-zA-Z]\\w*)`, 'g'))].map(
          ([, name = '']) => name,
        ),
        isComputed: text.includes(`${local}[`),
      })),
  );

const sheets = paths.filter((path) => path.endsWith('.module.css'));

test.each(sheets)('%s has each class that is used, and no other', (sheet) => {
  const classes = classesOf(sheet);
  const uses = usesOf(sheet);
  const used = new Set(uses.flatMap(({ names }) => names));
  expect([...used].filter((name) => !classes.has(name))).toEqual([]);
  if (uses.some(({ isComputed }) => isComputed)) return;
  expect([...classes].filter((name) => !used.has(name))).toEqual([]);
});

test('the shared style sheets have each class that is used, and no other', () => {
  const shared = new Set(['base', 'parts'].flatMap((name) => [...classesOf(`${PAGE}/kit/${name}.css`)]));
  const words = (text: string) =>
    text
      .replace(/\$\{[^}]*\}/g, ' ')
      .split(/\s+/)
      .filter(Boolean);
  const used = scripts.flatMap(({ text }) =>
    [
      ...text.matchAll(
        /[cC]lassName(?:=|: )(?:"([^"]*)"|\{?`([^`]*)`|\{[^}]*?'([^']*)'(?:[^}]*?'([^']*)')?[^}]*\})/g,
      ),
    ]
      .flatMap((found) => found.slice(1))
      .flatMap((text) => words(text ?? '')),
  );
  expect([...new Set(used)].filter((name) => !shared.has(name))).toEqual([]);
  expect([...shared].filter((name) => !used.includes(name))).toEqual([]);
});
