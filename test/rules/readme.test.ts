import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { API_TAGS } from '../../src/api-docs/tags.ts';
import { API_ROUTES } from '../../src/app.ts';
import { describeConfig } from '../../src/config.ts';
import { ERRORS } from '../../src/http/errors.ts';
import { STREAM_FAULT_REASONS } from '../../src/video/frame-source.ts';

const readme = readFileSync('README.md', 'utf8');

describe('the README', () => {
  test('lists every environment variable as the program describes it', () => {
    const section = /## Configuration\n([\s\S]*?)\n## /.exec(readme)?.[1] ?? '';
    const listed = section.split('\n').filter((line) => /^\| [A-Z0-9_]+ \|/.test(line));
    expect(listed).toEqual(
      describeConfig().map(({ name, defaultValue, meaning }) => `| ${name} | ${defaultValue} | ${meaning} |`),
    );
  });

  test('lists every error code with its status and meaning', () => {
    const listed = readme.split('\n').filter((line) => /^\| \d{3} \|/.test(line));
    expect(listed).toEqual(
      Object.entries(ERRORS).map(([code, { status, meaning }]) => `| ${status} | ${code} | ${meaning} |`),
    );
  });

  test('of the devices lists every reason why a stream cannot be read', () => {
    const listed = [...readFileSync('src/devices/README.md', 'utf8').matchAll(/^\| `([a-z_]+)` \|/gm)];
    expect(listed.map(([, reason]) => reason)).toEqual([...STREAM_FAULT_REASONS]);
  });

  test('lists every call with its scope, by resource', () => {
    const section = /## The API\n([\s\S]*?)\nErrors carry/.exec(readme)?.[1] ?? '';
    const wanted = API_TAGS.map((tag) => {
      const routes = API_ROUTES.filter(({ path }) => API_TAGS.find(({ paths }) => paths.test(path)) === tag);
      const calls = [...new Set(routes.map(({ path }) => path))].map((path) => {
        const methods = routes
          .filter((route) => route.path === path)
          .map(({ method }) => method.toUpperCase());
        return `\`${methods.join(' ')} ${path}\``;
      });
      const scopes = [...new Set(routes.flatMap(({ scope }) => scope ?? []))].map((scope) => `\`${scope}\``);
      const open = routes.some(({ scope }) => scope === null) ? ['no key'] : [];
      return `| ${tag.name} | ${calls.join(', ')} | ${[...scopes, ...open].join(', ')} |`;
    });
    expect(section.split('\n').filter((line) => /^\| [A-Z]/.test(line))).toEqual(wanted);
  });

  test('names only folders and files that exist', () => {
    const links = [...readme.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path]) => path!);
    expect(links.length).toBeGreaterThan(3);
    for (const path of links) expect(readFileSync(path, 'utf8')).not.toBe('');
  });
});
