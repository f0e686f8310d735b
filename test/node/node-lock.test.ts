import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { NodeLock } from '../../src/node/node-lock.ts';
import type { Logger } from '../../src/platform/logger.ts';
import { isRunning, killGroup, processStartTime } from '../../src/platform/processes/processes.ts';
import { WriteFaults } from '../../src/platform/write-faults.ts';
import { eventually } from '../support/eventually.ts';
import { testWhere } from '../support/installed.ts';
import { mountSmallDisk } from '../support/small-disk.ts';

/** Null where this account may not mount: then one test is skipped. */
const disk = mountSmallDisk();
afterAll(() => disk?.remove());

let folder: string;
const groups: number[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'seat-'));
});
afterEach(() => {
  for (const pid of groups.splice(0)) killGroup(pid, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

/** A process group of two that would go on for a minute. @returns its leader */
async function startGroup(): Promise<number> {
  const child = spawn('sh', ['-c', 'sleep 60 & sleep 60'], { detached: true, stdio: 'ignore' });
  await new Promise((resolve) => child.once('spawn', resolve));
  groups.push(child.pid!);
  return child.pid!;
}

/** As if the worker that sits there had been killed and its id given to another process. */
function crash(name: string): void {
  const file = join(folder, `${name}.json`);
  const seat = JSON.parse(readFileSync(file, 'utf8')) as { owner: { startTime: string } };
  seat.owner.startTime = 'long ago';
  writeFileSync(file, JSON.stringify(seat));
}

describe('a node’s seat that cannot be written', () => {
  test('does without its file, tells so once, and writes it as soon as that is possible', async () => {
    // As a full disk does: nothing can be made below it.
    const nodes = join(folder, 'nodes');
    writeFileSync(nodes, '');
    const told: string[] = [];
    const log = { warn: told.push.bind(told), info: told.push.bind(told) } as unknown as Logger;
    const faults = new WriteFaults(log);
    const seat = new NodeLock(nodes, 'shop', { faults, retryMs: 10 });
    const pid = await startGroup();
    seat.addChild(pid);
    seat.removeChild(pid);
    seat.addChild(pid);
    const ofWarnings = () => told.filter((line) => typeof line === 'string');
    expect(ofWarnings()).toEqual([
      expect.stringMatching(/^The files of node seats cannot be written \(E\w+\)$/),
    ]);
    expect(faults.sentence).toMatch(/^The files of node seats cannot be written/);
    rmSync(nodes);
    await eventually('the seat is written', () => faults.sentence === null);
    expect(ofWarnings().at(-1)).toBe('The files of node seats are written again');
    const written = JSON.parse(readFileSync(join(nodes, 'shop.json'), 'utf8'));
    expect(written).toMatchObject({ nodeId: seat.nodeId, children: [{ pid }] });
    // What was written late protects as well as what was written at once.
    expect(new NodeLock(nodes, 'shop').name).toBe('shop-2');
  });

  testWhere(disk !== null)('on a file system that is really full, and then has space again', async () => {
    const nodes = join(disk!.folder, 'nodes');
    const before = new NodeLock(nodes, 'shop');
    const file = join(nodes, 'shop.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"startTime":"[^"]*"/, '"startTime":"long ago"'));
    disk!.fill();
    const told: unknown[] = [];
    const faults = new WriteFaults({
      warn: told.push.bind(told),
      info: () => undefined,
    } as unknown as Logger);
    const seat = new NodeLock(nodes, 'shop', { faults, retryMs: 10 });
    expect([seat.name, seat.nodeId]).toEqual(['shop', before.nodeId]);
    const pid = await startGroup();
    seat.addChild(pid);
    expect(faults.sentence).toBe('The files of node seats cannot be written (no space left).');
    disk!.makeSpace();
    await eventually('the seat is written', () => faults.sentence === null && existsSync(file));
    const written = JSON.parse(readFileSync(file, 'utf8'));
    expect(written).toMatchObject({ nodeId: before.nodeId, children: [{ pid }] });
    seat.close();
  });

  test('keeps the node’s id where the old file can still be read', () => {
    const before = new NodeLock(folder, 'shop');
    crash('shop');
    // Its name can be moved away, but no new file appears: the draft's name is taken by a folder.
    mkdirSync(join(folder, `shop.json.${process.pid}.new`, 'x'), { recursive: true });
    const after = new NodeLock(folder, 'shop', { retryMs: 60_000 });
    expect([after.name, after.nodeId]).toEqual(['shop', before.nodeId]);
    after.close();
  });

  test('leaves the place to another who took it meanwhile', async () => {
    const nodes = join(folder, 'nodes');
    writeFileSync(nodes, '');
    const faults = new WriteFaults({ warn: () => undefined, info: () => undefined } as unknown as Logger);
    new NodeLock(nodes, 'shop', { faults, retryMs: 50 });
    rmSync(nodes);
    mkdirSync(nodes);
    const other = await startGroup();
    const owner = { pid: other, startTime: processStartTime(other)! };
    const taken = JSON.stringify({ nodeId: '0198b3f0-0000-4000-8000-00000000000a', owner, children: [] });
    writeFileSync(join(nodes, 'shop.json'), taken);
    await eventually('it is tried again', () => faults.sentence === null);
    expect(readFileSync(join(nodes, 'shop.json'), 'utf8')).toBe(taken);
  });
});

describe('a node’s seat', () => {
  test('is another one for each worker that runs here', () => {
    const first = new NodeLock(folder, 'shop');
    const second = new NodeLock(folder, 'shop');
    expect([first.name, second.name]).toEqual(['shop', 'shop-2']);
    expect(first.nodeId).not.toBe(second.nodeId);
  });

  test('is kept over a crash, and what was left over is ended', async () => {
    const before = new NodeLock(folder, 'shop');
    const [left, ended] = [await startGroup(), await startGroup()];
    const process = { pid: left, startTime: processStartTime(left)! };
    before.addChild(left);
    before.addChild(ended);
    before.removeChild(ended);
    crash('shop');
    const after = new NodeLock(folder, 'shop');
    expect(after).toMatchObject({ name: 'shop', nodeId: before.nodeId, endedChildren: [process] });
    await eventually('the left-over group is gone', () => !isRunning(process));
    expect(processStartTime(ended)).not.toBeNull();
  });

  test('does not end a process that only has an old id', async () => {
    const before = new NodeLock(folder, 'shop');
    const pid = await startGroup();
    before.addChild(pid);
    const file = join(folder, 'shop.json');
    const seat = JSON.parse(readFileSync(file, 'utf8')) as { children: { startTime: string }[] };
    seat.children[0]!.startTime = '1';
    writeFileSync(file, JSON.stringify(seat));
    crash('shop');
    expect(new NodeLock(folder, 'shop').endedChildren).toEqual([]);
    expect(processStartTime(pid)).not.toBeNull();
  });

  test('cut short by a crash it is begun anew', () => {
    const before = new NodeLock(folder, 'shop');
    writeFileSync(join(folder, 'shop.json'), '{"nodeId":');
    const after = new NodeLock(folder, 'shop');
    expect(after.name).toBe('shop');
    expect(after.nodeId).not.toBe(before.nodeId);
  });
});
