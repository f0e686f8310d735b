import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  byFrame,
  findSequences,
  motLine,
  readMotFile,
  readSequence,
} from '../../../../scripts/evaluate/footage/mot-files.ts';

let folder: string;
const INFO = '[Sequence]\nname=S-FRCNN\nframeRate=14\nseqLength=3\nimWidth=640\nimHeight=480\n';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mot-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
  return path;
}

describe('MOTChallenge files', () => {
  test('ground truth with classes (MOT16 and later)', async () => {
    const rows = await readMotFile(
      await file('a.txt', '1,7,10,20,30,40,0,8,0.25\r\n2,7,11,20,30,40,1,1,1\r\n'),
    );
    expect(rows).toEqual([
      {
        frame: 1,
        id: 7,
        left: 10,
        top: 20,
        width: 30,
        height: 40,
        confidence: 0,
        classId: 8,
        visibility: 0.25,
      },
      { frame: 2, id: 7, left: 11, top: 20, width: 30, height: 40, confidence: 1, classId: 1, visibility: 1 },
    ]);
  });

  test.each([
    { name: 'with coordinates in metres (MOT15)', line: '1,9,499,158,31.03,75.17,1,-4.1554,-7.3591,0' },
    { name: 'with -1 for unknown values', line: '1,9,499,158,31.03,75.17,1,-1,-1,-1' },
    { name: 'that ends after the confidence', line: '1,9,499,158,31.03,75.17,1' },
  ])('in a file without classes, $name, all rows are pedestrians', async ({ line }) => {
    const rows = await readMotFile(await file('b.txt', `${line}\n`));
    expect(rows).toMatchObject([{ id: 9, width: 31.03, confidence: 1, classId: 1 }]);
  });

  test('a row that was written is read back as it was', async () => {
    const row = { frame: 3, id: 4, left: 1.25, top: 2, width: 3.5, height: 4, confidence: 0.9 };
    expect(motLine(row)).toBe('3,4,1.25,2,3.5,4,0.9,-1,-1,-1\n');
    expect(await readMotFile(await file('c.txt', motLine(row)))).toEqual([{ ...row, classId: 1 }]);
  });

  test('seqinfo.ini gives the name, size and frame rate of a sequence', async () => {
    await file('root/S/gt/gt.txt', '1,1,0,0,1,1,1,1,1\n');
    await file('root/S/seqinfo.ini', INFO);
    const found = await findSequences(join(folder, 'root'));
    expect(await Promise.all(found.map(readSequence))).toMatchObject([
      { name: 'S', title: 'S-FRCNN', frames: 3, framesPerSecond: 14, width: 640, height: 480 },
    ]);
  });

  test('an error names the file or value that cannot be read', async () => {
    const bad = await file('d.txt', '1,1,0,0,1,1\n1,1,zero,0,1,1\n');
    await expect(readMotFile(bad)).rejects.toThrow(`${bad}:2 is no MOTChallenge row`);
    await expect(readMotFile(join(folder, 'none.txt'))).rejects.toThrow('cannot be read');
    await expect(findSequences(join(folder, 'nowhere'))).rejects.toThrow('is not a folder');
    await file('empty/readme', '');
    await expect(findSequences(join(folder, 'empty'))).rejects.toThrow('holds no sequences');
    await file('half/S/gt/gt.txt', '');
    await expect(readSequence(join(folder, 'half/S'))).rejects.toThrow('seqinfo.ini is missing');
    await file('half/S/seqinfo.ini', INFO.replace('frameRate=14\n', ''));
    await expect(readSequence(join(folder, 'half/S'))).rejects.toThrow('has no frameRate');
    const late = await readMotFile(await file('e.txt', '4,1,0,0,1,1\n'));
    expect(() => byFrame(late, 3, 'e.txt')).toThrow(
      'e.txt has frame 4, but the sequence has the frames 1 to 3.',
    );
  });
});
