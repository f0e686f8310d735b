import { expect, test } from '@jest/globals';
import type { CameraFacts } from '../../../src/page/cameras/camera-state.ts';
import { warningLines } from '../../../src/page/cameras/reason-lines.ts';

const about = (reason: CameraFacts['warnings'][number]['reason'], sceneId?: string) => ({
  ...{ reason, message: `The API says ${reason}.`, since: '2026-11-23T10:00:00.000Z' },
  ...(sceneId && { sceneId }),
});
const scene = (id: string, name: string) => ({ id, name, analysisStatus: 'running' as const, run: null });
const facts = (warnings: CameraFacts['warnings'], scenes: CameraFacts['scenes']): CameraFacts => ({
  ...{ isDisabled: false, fault: null, onlineStatus: 'online', lastError: null },
  ...{ warnings, scenes },
});
const KNOWN = {
  people_beside_zone: { title: 'People stand outside', advice: 'Open the zones.' },
  unknown: { title: 'Counting has a problem', advice: 'Tell your operator.' },
};

test('warnings about several scenes of a camera have the names of the scenes, and keys of their own', () => {
  const warnings = [
    about('people_beside_zone', 'a'),
    about('people_beside_zone', 'b'),
    about('view_changed'),
  ];
  const lines = warningLines(facts(warnings, [scene('a', 'Till 1'), scene('b', 'Till 2')]), KNOWN);
  expect(lines.map(({ text }) => text)).toEqual([
    'Till 1: People stand outside. Open the zones.',
    'Till 2: People stand outside. Open the zones.',
    'Counting has a problem. Tell your operator.',
  ]);
  expect(new Set(lines.map(({ key }) => key)).size).toBe(3);
});

test('one scene needs no name, and neither does one that is not known here', () => {
  const of = (scenes: CameraFacts['scenes']) =>
    warningLines(facts([about('people_beside_zone', 'a')], scenes), KNOWN).map(({ text }) => text);
  const plain = ['People stand outside. Open the zones.'];
  expect([of([scene('a', 'Till 1')]), of([scene('c', 'x'), scene('b', 'y')]), of([])]).toEqual([
    ...[plain, plain, plain],
  ]);
});
