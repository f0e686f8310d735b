import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, constants, existsSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { makeApiKey } from '../../src/access/api-key.ts';
import { LogOutput } from '../../src/platform/log-output.ts';
import { createLogger, scrub } from '../../src/platform/logger.ts';
import { LOADER, programFile } from '../../src/platform/processes/program-file.ts';
import { eventually } from '../support/eventually.ts';
import { testWhere } from '../support/installed.ts';
import { fc } from '../support/property.ts';

describe('standard output on a full disk', () => {
  // Whatever is written there fails for lack of space.
  const full = testWhere(existsSync('/dev/full'));

  full('does not end the program that logs, neither while it runs nor at its end', () => {
    const program = `
      import { createLogger } from '${programFile('src/platform/logger.ts')}';
      const log = createLogger({ level: 'info', program: 'test' });
      for (let line = 0; line < 200; line++) log.info('x'.repeat(1000));
      setTimeout(() => {
        log.info('a last line');
        log.fatal('written at once');
        process.stderr.write('it lives');
        // As the programs end.
        process.exit(0);
      }, 250);`;
    const output = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(
      process.execPath,
      [...LOADER, '--input-type=module', '-e', program],
      {
        cwd: join(import.meta.dirname, '../..'),
        stdio: ['ignore', output, 'pipe'],
        encoding: 'utf8',
        timeout: 300_000,
      },
    );
    closeSync(output);
    expect([status, stderr]).toEqual([0, 'it lives']);
  });
});

describe('standard output that cannot be written for a while', () => {
  test('gets the waiting lines later, complete and in order; dropped lines are counted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'log-'));
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
    try {
      const output = new LogOutput({ fd, waitingBytes: 100_000 });
      const lost = new Promise<number>((resolve) => {
        output.onLost = resolve;
      });
      const line = (number: number) => `${String(number).padStart(7)}${'é'.repeat(496)}\n`;
      for (let number = 0; number < 1_000; number++) output.write(line(number));
      let read = '';
      const decoder = new TextDecoder();
      const buffer = Buffer.alloc(65_536);
      const take = () => {
        try {
          read += decoder.decode(buffer.subarray(0, readSync(fd, buffer)), { stream: true });
        } catch {
          // It is empty.
        }
      };
      const reading = setInterval(take, 1);
      const count = await lost;
      const arrived = () => read.split('\n').slice(0, -1);
      await eventually('every kept line has arrived', () => arrived().length === 1_000 - count);
      clearInterval(reading);
      expect(arrived()).toEqual(arrived().map((_, number) => line(number).trimEnd()));
      expect(count).toBeGreaterThan(500);
    } finally {
      closeSync(fd);
      rmSync(folder, { recursive: true });
    }
  });
});

describe('a line of the log', () => {
  test('lacks fields that are secret by their name, to a depth of three', () => {
    const lines: string[] = [];
    const output = { write: (line: string) => void lines.push(line) };
    const logger = createLogger({ level: 'info', program: 'test', output });
    const secrets = {
      cookie: 'vas=secret1',
      'set-cookie': ['vas=secret2'],
      password: 'secret3',
      currentPassword: 'secret4',
      passwordHash: 'secret5',
      token: 'secret6',
      authorization: 'secret7',
    };
    logger.info({ ...secrets, request: { headers: secrets }, body: secrets }, 'asked');
    expect(lines.join()).not.toContain('secret');
    expect(lines.join().match(/\[redacted\]/g)).toHaveLength(21);
    logger.info({ err: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) }, 'failed');
    expect(lines.at(-1)).toContain('ECONNREFUSED');
  });

  test('shows only the public id of an API key', () => {
    const { key, keyId } = makeApiKey();
    expect(scrub(`{"msg":"Bearer ${key} was sent"}`)).toBe(
      `{"msg":"Bearer vas_${keyId}_[redacted] was sent"}`,
    );
  });

  test.each([
    ['rtsp://admin:p%40ss@10.0.0.7:554/Streaming/101?token=abc', 'rtsp://10.0.0.7:554/[redacted]'],
    ['rtsp://admin:p@ss/word@cam/1', 'rtsp://cam/[redacted]'],
    ['postgresql://analytics:secret@db:5432/analytics', 'postgresql://db:5432/[redacted]'],
    ['https://hooks.example.com/T000/SECRET', 'https://hooks.example.com/[redacted]'],
    ['HTTP://user:pass@cam', 'HTTP://[redacted]@cam'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
    ['at file:///app/src/api.ts:12:3', 'at file:///app/src/api.ts:12:3'],
  ])('%s is logged as %s', (address, shown) => {
    expect(scrub(`{"err":{"message":"cannot open \\"${address}\\", again"}}`)).toBe(
      `{"err":{"message":"cannot open \\"${shown}\\", again"}}`,
    );
  });

  test('never shows the password or path of an address, and stays JSON', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9!$%&()*+,;=:@/?#~-]{4,12}$/);
    fc.assert(
      fc.property(word, word, (password, path) => {
        const secret = `PASS${password}`;
        const line = JSON.stringify({ msg: `failed: rtsp://user:${secret}@10.0.0.7/PATH${path} (4)` });
        const shown = scrub(line);
        expect(shown).not.toContain('PASS');
        expect(shown).not.toContain('PATH');
        expect(JSON.parse(shown).msg).toMatch(/^failed: .* \(4\)$/);
      }),
    );
  });
});
