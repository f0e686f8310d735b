import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from '@jest/globals';
import { startChromium } from '../../../scripts/page/chromium.ts';
import { testDatabase } from '../../support/database.ts';

// Run by killed-run.release.ts alone: a test that never ends, with everything that tests start.
test('stays', async () => {
  await testDatabase();
  await startChromium({});
  spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
  const env = { PATH: process.env.PATH, DATA_DIR: join(tmpdir(), 'own') };
  spawn('sleep', ['1001'], { detached: true, stdio: 'ignore', env });
  writeFileSync(process.env.STAYS_FILE!, 'ready');
  await new Promise(() => undefined);
});
