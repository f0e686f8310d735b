import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

interface Stage {
  readonly name: string;
  readonly from: string;
  readonly text: string;
}

const stages: Stage[] = readFileSync('Dockerfile', 'utf8')
  .split(/^(?=FROM )/m)
  .flatMap((text) => {
    const [, from, name] = /^FROM (\S+) AS (\S+)/.exec(text) ?? [];
    return from && name ? [{ name, from, text }] : [];
  });

/** A stage with those it is made from. */
function lineage(name: string): Stage[] {
  const stage = stages.find((one) => one.name === name);
  return stage ? [stage, ...lineage(stage.from)] : [];
}

test.each(['api', 'worker', 'worker-gpu'])(
  'the image %s has the ffmpeg of its distribution, and uses it',
  (name) => {
    const made = lineage(name);
    expect(
      made.some(({ text }) => /apt-get install -y --no-install-recommends [^&]*\bffmpeg\b/.test(text)),
    ).toBe(true);
    const all = made.map(({ text }) => text).join('');
    expect(all).toContain('NODE_ENV=production');
    // What would lead past it, or allow the one from npm.
    expect(all).not.toMatch(/FF(MPEG|PROBE)_PATH|ALLOW_OLD_FFMPEG/);
    // A distribution whose ffmpeg is of release 5 or later: bookworm has 5.1.
    expect(made.at(-1)!.from).toMatch(/-bookworm-slim$/);
  },
);
