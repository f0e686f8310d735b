import { expect } from '@jest/globals';
import { fullDisk } from '../../../scripts/chaos/full-disk.ts';
import { testWhere } from '../../support/installed.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

const disk = mountSmallDisk();
disk?.remove();
if (!disk)
  process.stderr.write(
    'Skipped: this account may not mount a small disk (run the tests as root on Linux).\n',
  );
const testWithDisk = testWhere(disk !== null);

// The long form: `npm run chaos -- full-disk`.
const SHORT = { lanes: 1, scenes: 1, fps: 2, megabytes: 8 };

testWithDisk.each([
  ['full', 0, 'no space left'],
  ['read-only', 1, 'EROFS'],
])(
  'while the disk of DATA_DIR is %s no program ends, runs and alerts go on, and the node says why',
  async (_, readOnly, code) => {
    const result = await fullDisk.run({ ...SHORT, readOnly });
    expect(result).toMatchObject({
      notRun: null,
      programsEnded: 0,
      alertsWhileFull: 1,
      withImagesWhileFull: 0,
    });
    expect(result).toMatchObject({ toldByNode: expect.stringContaining(code), passed: true });
  },
);
