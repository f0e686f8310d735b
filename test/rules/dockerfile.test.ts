import { expect, test } from '@jest/globals';
import { imageStages } from '../../scripts/image/build-image.ts';
import { lineage } from '../../scripts/image/dockerfile.ts';

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
