import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { describeConfig } from '../../src/config.ts';

const readme = readFileSync('README.md', 'utf8');

describe('the README', () => {
  test('lists every environment variable as the program describes it', () => {
    const section = /## Configuration\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
    const listed = section.split('\n').filter((line) => /^\| [A-Z0-9_]+ \|/.test(line));
    expect(listed).toEqual(
      describeConfig().map(({ name, defaultValue, meaning }) => `| ${name} | ${defaultValue} | ${meaning} |`),
    );
  });

  test('names only folders and files that exist', () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path!);
    expect(links.length).toBeGreaterThan(3);
    for (const path of links) expect(readFileSync(path, 'utf8')).not.toBe('');
  });
});
