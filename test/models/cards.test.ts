import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { DEFAULT_MODEL, listDetectors, readDetectorCard } from '../../src/models/cards.ts';

const MODELS_DIR = new URL('../../models', import.meta.url).pathname;

test('every card of the project is right, and the default is among them', async () => {
  const names = await listDetectors(MODELS_DIR);
  expect(names).toContain(DEFAULT_MODEL);
  for (const name of names) expect((await readDetectorCard(MODELS_DIR, name)).name).toBe(name);
});

describe('a card that cannot be used', () => {
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'cards-'));
    const card = JSON.parse(await readFile(join(MODELS_DIR, 'yolox-nano.json'), 'utf8'));
    const write = (name: string, change: object) =>
      writeFile(join(dir, `${name}.json`), JSON.stringify({ ...card, name, ...change }));
    await write('field', { nmsIou: 7 });
    const curve = { constant: -1, score: 3, height: 0.5, scoreByHeight: 0.1, heights: [10, 400] };
    const fitted = { data: 'own pictures', pictures: 64, date: '2026-11-23', command: 'by hand' };
    const scores = (name: string, change: object) =>
      write(name, { scores: { person: { ...curve, ...change }, fitted } });
    await scores('curve', {});
    await scores('no-number', { constant: Number.NaN });
    await scores('infinite', { height: 1e9 });
    await scores('missing', { scoreByHeight: undefined });
    await scores('falling', { score: -3 });
    await scores('falling-far-up', { scoreByHeight: -0.6 });
    await scores('heights', { heights: [400, 10] });
    await scores('one-height', { heights: [10] });
    await write('no-source', { scores: { person: curve } });
    await write('fixed', { smallerInputs: [{ width: 320, height: 320 }] });
    await write('larger', { smallerInputs: [{ width: 640, height: 640 }] });
    await write('wider', { smallerInputs: [{ width: 448, height: 256 }] });
    await write('same', { smallerInputs: [{ width: 416, height: 416 }] });
    await write('larger-input', { largerInput: { width: 640, height: 640 } });
    await write('smaller-larger', { largerInput: { width: 320, height: 320 } });
    await write('odd-larger', { largerInput: { width: 650, height: 650 } });
    await write('stride', { smallerInputs: [{ width: 300, height: 300 }] });
    await write('other', { name: 'somebody' });
    await writeFile(join(dir, 'text.json'), 'hello');
  });

  test.each([
    ['unknown', /no model "unknown"; known are curve, falling/],
    ['field', /field\.json is faulty at "nmsIou"/],
    ['other', /names itself "somebody"/],
    ['no-number', /no-number\.json is faulty at "scores\.person\.constant"/],
    ['infinite', /faulty at "scores\.person\.height"/],
    ['missing', /faulty at "scores\.person\.scoreByHeight"/],
    ['falling', /faulty at "scores\.person\.score": makes the probability fall/],
    ['falling-far-up', /faulty at "scores\.person\.score": makes the probability fall/],
    ['heights', /faulty at "scores\.person\.heights": must be the lowest and the highest height/],
    ['one-height', /faulty at "scores\.person\.heights/],
    ['no-source', /faulty at "scores\.fitted"/],
    [
      'fixed',
      /faulty at "smallerInputs": need a TensorFlow\.js source, because an ONNX file fixes its input/,
    ],
    ['larger', /faulty at "smallerInputs": must fit into "input" or "largerInput", be smaller/],
    ['wider', /faulty at "smallerInputs": must fit into "input" or "largerInput", be smaller/],
    ['same', /faulty at "smallerInputs": must fit into "input"/],
    ['larger-input', /faulty at "smallerInputs": need a TensorFlow\.js source/],
    ['smaller-larger', /faulty at "largerInput": must be larger than "input"/],
    ['odd-larger', /faulty at "largerInput": .* multiples of the largest stride/],
    ['stride', /faulty at "smallerInputs": .* multiples of the largest stride/],
    ['text', /is not JSON/],
    ['../secret', /no model/],
  ])('%s', async (name, sentence) => {
    await expect(readDetectorCard(dir, name)).rejects.toThrow(sentence);
  });

  test('the card they were made of can be used with a curve', async () => {
    expect((await readDetectorCard(dir, 'curve')).scores?.person?.score).toBe(3);
  });

  test('a folder without cards', async () => {
    await expect(listDetectors(join(dir, 'nowhere'))).rejects.toThrow(/No model cards in .*nowhere/);
  });
});
