import { expect, test } from '@jest/globals';
import { CameraPeople } from '../../../src/lanes/host/camera-people.ts';
import type { RunPeople } from '../../../src/lanes/lane-protocol.ts';
import { Turns } from '../../../src/lanes/turns.ts';
import { FrameRing } from '../../../src/video/frame-ring.ts';
import type { AttributeModel } from '../../../src/vision/attributes/attribute-model.ts';
import { Budget } from '../../../src/vision/attributes/budget.ts';
import { CombinedAttributeModel } from '../../../src/vision/attributes/combined-attribute-model.ts';
import {
  type AttributeKey,
  keysWithin,
  SENSITIVE_GROUPS,
  type SensitiveGroup,
} from '../../../src/vision/attributes/keys.ts';
import { eventually } from '../../support/eventually.ts';
import { greyFrame } from '../../video/picture/frames.ts';

/** A model that notes what it was asked for, and tells everything whatever it was asked. */
function aModel(name: string, keys: readonly AttributeKey[]) {
  const asked: (readonly AttributeKey[] | undefined)[] = [];
  const model: AttributeModel = {
    name,
    keys,
    classify: async (_crop, wanted) => {
      asked.push(wanted);
      return Object.fromEntries(keys.map((key) => [key, 0.9]));
    },
    dispose: async () => undefined,
  };
  return { model, asked };
}
const CROP = {
  frame: { ...greyFrame(64, 64, () => 99), index: 0, timeMs: 0 },
  box: { left: 0, top: 0, right: 1, bottom: 1 },
};

test.each<[SensitiveGroup[], AttributeKey[]]>([
  [
    ['gender', 'age'],
    ['female', 'male', 'age18To60', 'upperRed'],
  ],
  [['age'], ['age18To60', 'upperRed']],
  [['gender'], ['female', 'male', 'upperRed']],
  [[], ['upperRed']],
])('with %j on, these keys are left: %j', (groups, left) => {
  expect(keysWithin(['female', 'male', 'age18To60', 'upperRed'], groups)).toEqual(left);
});

test('a model is asked for wanted keys only, and not at all where none of its keys is wanted', async () => {
  const faces = aModel('faces', ['female', 'male', 'age18To60']);
  const clothes = aModel('clothes', ['upperRed', 'female']);
  const models = new CombinedAttributeModel([faces.model, clothes.model]);
  expect(await models.classify(CROP, keysWithin(models.keys, ['age']))).toEqual({
    age18To60: 0.9,
    upperRed: 0.9,
  });
  expect(await models.classify(CROP, keysWithin(models.keys, []))).toEqual({ upperRed: 0.9 });
  expect([faces.asked, clothes.asked]).toEqual([[['age18To60']], [['upperRed'], ['upperRed']]]);
});

test('what was found of a person before a group was switched off is forgotten', async () => {
  const { model } = aModel('all', ['female', 'upperRed']);
  const models = new CombinedAttributeModel([model]);
  const frames = new FrameRing();
  const told: RunPeople[] = [];
  const people = new CameraPeople({
    attributeModels: () => models,
    budget: new Budget(1),
    turns: new Turns(),
    frames,
    onPeople: (runs) => told.push(...runs),
    onError: (error) => {
      throw error;
    },
  });
  const track = { id: 1, box: { left: 0.2, top: 0.1, right: 0.6, bottom: 0.95 } };
  const show = async (index: number, groups: readonly SensitiveGroup[]) => {
    const timeMs = 1_000 + index * 2_000;
    const full = { ...greyFrame(320, 480, (x, y) => ((x * 7 + y * 13) % 5) * 50), index, timeMs };
    const frame = { index, timeMs, full, isDamaged: false, keepFull: () => undefined } as never;
    frames.add(frame);
    const before = told.length;
    people.see(frame, [{ runId: 'r', observation: { timeMs, tracks: [track] } } as never], {
      detections: [],
      groups,
    });
    await eventually('the next classification', () => told.length > before);
    return told.at(-1)!.people[0]!.known;
  };
  expect(await show(0, SENSITIVE_GROUPS)).toEqual(['female', 'upperRed']);
  expect(await show(1, ['age'])).toEqual(['upperRed']);
});
