import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { generatedPages } from '../../scripts/docs/pages.ts';
import { STREAM_FAULT_REASONS } from '../../src/video/stream-error.ts';

/** Every Markdown file of the project. */
const PAGES = [
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...['src', 'scripts', 'models', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => join(folder, path)),
  ),
];

describe('the documentation', () => {
  test('has a README of at most 8 KB', () => {
    expect(readFileSync('README.md').length).toBeLessThanOrEqual(8 * 1024);
  });

  test('has pictures of at most 150 KB together', () => {
    const pictures = [...readFileSync('README.md', 'utf8').matchAll(/<img src="([^"]+)"/g)];
    expect(pictures).toHaveLength(3);
    const bytes = pictures.reduce((sum, [, path]) => sum + statSync(path!).size, 0);
    expect(bytes).toBeLessThanOrEqual(150_000);
  });

  test.each([...generatedPages()])('%s is what the code generates', (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('lists every reason why a camera stream cannot be read', () => {
    const [table] = readFileSync('src/cameras/devices/README.md', 'utf8').split('\n## Decisions');
    const listed = [...table!.matchAll(/^\| `([a-z_]+)` \|/gm)];
    expect(listed.map(([, reason]) => reason)).toEqual([...STREAM_FAULT_REASONS]);
  });

  test.each(PAGES)('%s links only to files and headings that exist', (page) => {
    const links = [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s:]+)\)/g)].map(([, link]) => link!);
    const broken = links.filter((link) => {
      const [path = '', heading] = link.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      if (!existsSync(target)) return true;
      return heading !== undefined && !headingsOf(target).includes(heading);
    });
    expect(broken).toEqual([]);
  });
});

/** The anchors of a page's headings, as GitHub makes them. */
function headingsOf(page: string): string[] {
  return [...readFileSync(page, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  );
}
