import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { imageStages } from '../../scripts/image/build-image.ts';
import { lineage } from '../../scripts/image/dockerfile.ts';
import { matching, UNNEEDED } from '../../scripts/image/slim-packages.ts';

test.each(['api', 'worker', 'worker-gpu'])(
  'the image %s has the ffmpeg of its distribution, and uses it',
  async (name) => {
    const made = lineage(await imageStages(), name);
    const texts = made.flatMap(({ instructions }) => instructions.map(({ text }) => text));
    expect(
      texts.some((text) => /apt-get install -y --no-install-recommends [^&]*\bffmpeg\b/.test(text)),
    ).toBe(true);
    const all = texts.join('\n');
    expect(all).toContain('NODE_ENV=production');
    // What would lead past it, or allow the one from npm.
    expect(all).not.toMatch(/FF(MPEG|PROBE)_PATH|ALLOW_OLD_FFMPEG/);
    // A distribution whose ffmpeg is of release 5 or later: bookworm has 5.1.
    expect(made[0]!.from).toMatch(/-bookworm-slim$/);
  },
);

test('what images leave out is named as the installed packages name it', async () => {
  for (const [name, unneeded] of Object.entries(UNNEEDED.dependencies)) {
    const file = name ? `node_modules/${name}/package.json` : 'package.json';
    const { dependencies } = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: object };
    if (unneeded !== 'all') expect(Object.keys(dependencies)).toEqual(expect.arrayContaining([...unneeded]));
  }
  for (const [name, rule] of Object.entries(UNNEEDED.files))
    expect([name, (await matching(`node_modules/${name}`, rule)).length]).not.toEqual([name, 0]);
});

test('the libraries of this platform stay in images', async () => {
  const kept = `node_modules/onnxruntime-node/bin/napi-v6/${process.platform}/${process.arch}`;
  const removed = await matching('node_modules/onnxruntime-node', UNNEEDED.files['onnxruntime-node']!);
  expect(readFileSync(`${kept}/onnxruntime_binding.node`).length).toBeGreaterThan(0);
  expect(removed.filter((path) => kept.startsWith(path) || path.startsWith(kept))).toEqual([]);
});
