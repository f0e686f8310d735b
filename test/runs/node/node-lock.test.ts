import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PROCESS_ID } from '../../../src/platform/database/session-owner.ts';
import type { Logger } from '../../../src/platform/logger.ts';
import { isRunning, killGroup, processStartTime } from '../../../src/platform/processes/processes.ts';
import { WriteFaults } from '../../../src/platform/write-faults.ts';
import { NodeLock } from '../../../src/runs/node/node-lock.ts';
import { eventually } from '../../support/eventually.ts';
import { testWhere } from '../../support/installed.ts';
import { mountSmallDisk } from '../../support/small-disk.ts';

/** Null when this account may not mount a file system: then one test is skipped. */
const disk = mountSmallDisk();
afterAll(() => disk?.remove());

let folder: string;
const groups: number[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'node-lock-'));
});
afterEach(() => {
  for (const pid of groups.splice(0)) killGroup(pid, 'SIGKILL');
  rmSync(folder, { recursive: true });
});

/** Starts a process group of two processes that run for a minute. @returns its leader */
async function startGroup(): Promise<number> {
  const child = spawn('sh', ['-c', 'sleep 60 & sleep 60'], { detached: true, stdio: 'ignore' });
  await new Promise((resolve) => child.once('spawn', resolve));
  groups.push(child.pid!);
  return child.pid!;
}

/** Makes the file look as if its worker was killed and the process id was given to another process. */
function crash(name: string): void {
  const file = join(folder, `${name}.json`);
  const lock = JSON.parse(readFileSync(file, 'utf8')) as { owner: { startTime: string } };
  lock.owner.startTime = 'long ago';
  writeFileSync(file, JSON.stringify(lock));
}

describe('a node lock whose file cannot be written', () => {
  test('works without the file, reports the fault once, and writes the file as soon as possible', async () => {
    // Nothing can be created below a file, as on a full disk.
    const nodes = join(folder, 'nodes');
    writeFileSync(nodes, '');
    const told: string[] = [];
    const log = { warn: told.push.bind(told), info: told.push.bind(told) } as unknown as Logger;
    const faults = new WriteFaults(log);
    const lock = new NodeLock(nodes, 'shop', { faults, retryMs: 10 });
    const pid = await startGroup();
    lock.addChild(pid);
    lock.removeChild(pid);
    lock.addChild(pid);
    const ofWarnings = () => told.filter((line) => typeof line === 'string');
    expect(ofWarnings()).toEqual([
      expect.stringMatching(/^The lock files of nodes cannot be written \(E\w+\)$/),
    ]);
    expect(faults.sentence).toMatch(/^The lock files of nodes cannot be written/);
    rmSync(nodes);
    await eventually('the file is written', () => faults.sentence === null);
    expect(ofWarnings().at(-1)).toBe('The lock files of nodes are written again');
    const written = JSON.parse(readFileSync(join(nodes, 'shop.json'), 'utf8'));
    expect(written).toMatchObject({ nodeId: lock.nodeId, children: [{ pid }] });
    // A file that was written late protects the name as well.
    expect(new NodeLock(nodes, 'shop').name).toBe('shop-2');
  });

  testWhere(disk !== null)('is written on a full file system as soon as it has space again', async () => {
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
    const lock = new NodeLock(nodes, 'shop', { faults, retryMs: 10 });
    expect([lock.name, lock.nodeId]).toEqual(['shop', before.nodeId]);
    const pid = await startGroup();
    lock.addChild(pid);
    expect(faults.sentence).toBe('The lock files of nodes cannot be written (no space left).');
    disk!.makeSpace();
    await eventually('the file is written', () => faults.sentence === null && existsSync(file));
    const written = JSON.parse(readFileSync(file, 'utf8'));
    expect(written).toMatchObject({ nodeId: before.nodeId, children: [{ pid }] });
    lock.close();
  });

  test('keeps the id of the node when the old file can be read', () => {
    const before = new NodeLock(folder, 'shop');
    crash('shop');
    // The old file can be moved away, but the new file cannot be created: a folder has the name of its draft.
    mkdirSync(join(folder, `shop.json.${process.pid}.new`, 'x'), { recursive: true });
    const after = new NodeLock(folder, 'shop', { retryMs: 60_000 });
    expect([after.name, after.nodeId]).toEqual(['shop', before.nodeId]);
    after.close();
  });

  test('does not overwrite the file of another worker that took the name meanwhile', async () => {
    const nodes = join(folder, 'nodes');
    writeFileSync(nodes, '');
    const faults = new WriteFaults({ warn: () => undefined, info: () => undefined } as unknown as Logger);
    new NodeLock(nodes, 'shop', { faults, retryMs: 50 });
    rmSync(nodes);
    mkdirSync(nodes);
    const other = await startGroup();
    const owner = { pid: other, startTime: processStartTime(other)! };
    const incarnation = '0198b3f0-0000-4000-8000-00000000000b';
    const taken = JSON.stringify({
      ...{ nodeId: '0198b3f0-0000-4000-8000-00000000000a', owner, incarnation, children: [] },
    });
    writeFileSync(join(nodes, 'shop.json'), taken);
    await eventually('it is tried again', () => faults.sentence === null);
    expect(readFileSync(join(nodes, 'shop.json'), 'utf8')).toBe(taken);
  });
});

describe('a node lock', () => {
  test('gives each running worker a name and an id of its own', () => {
    const first = new NodeLock(folder, 'shop');
    const second = new NodeLock(folder, 'shop');
    expect([first.name, second.name]).toEqual(['shop', 'shop-2']);
    expect(first.nodeId).not.toBe(second.nodeId);
  });

  test('refuses a chosen name while another worker of the folder has it', () => {
    const first = new NodeLock(folder, 'shop', { isChosen: true });
    expect(() => new NodeLock(folder, 'shop', { isChosen: true })).toThrow(
      'Another worker (on this machine) is the node "shop" already. Stop it, or give this one another NODE_NAME.',
    );
    crash('shop');
    const next = new NodeLock(folder, 'shop', { isChosen: true });
    expect([first.formerIncarnation, next.formerIncarnation]).toEqual([null, PROCESS_ID]);
  });

  test('keeps name and id after a crash, and ends the processes that the crashed worker left', async () => {
    const before = new NodeLock(folder, 'shop');
    const [left, ended] = [await startGroup(), await startGroup()];
    const process = { pid: left, startTime: processStartTime(left)! };
    before.addChild(left);
    before.addChild(ended);
    before.removeChild(ended);
    crash('shop');
    const after = new NodeLock(folder, 'shop');
    expect(after).toMatchObject({ name: 'shop', nodeId: before.nodeId, endedChildren: [process] });
    await eventually('the process group has ended', () => !isRunning(process));
    expect(processStartTime(ended)).not.toBeNull();
  });

  test('does not end a process that has only got the process id of a former child', async () => {
    const before = new NodeLock(folder, 'shop');
    const pid = await startGroup();
    before.addChild(pid);
    const file = join(folder, 'shop.json');
    const lock = JSON.parse(readFileSync(file, 'utf8')) as { children: { startTime: string }[] };
    lock.children[0]!.startTime = '1';
    writeFileSync(file, JSON.stringify(lock));
    crash('shop');
    expect(new NodeLock(folder, 'shop').endedChildren).toEqual([]);
    expect(processStartTime(pid)).not.toBeNull();
  });

  test('with a file that a crash has cut short gets a new id', () => {
    const before = new NodeLock(folder, 'shop');
    writeFileSync(join(folder, 'shop.json'), '{"nodeId":');
    const after = new NodeLock(folder, 'shop');
    expect(after.name).toBe('shop');
    expect(after.nodeId).not.toBe(before.nodeId);
  });
});
