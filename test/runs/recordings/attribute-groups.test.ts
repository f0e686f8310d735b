import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findAttributeGroups } from '../../../src/cameras/devices/privacy.store.ts';
import type { RecordingRow } from '../../../src/runs/recordings/recording.store.ts';
import { type ApiUser, codeOf, shopOf, type TestApi, testApi } from '../../support/api.ts';
import { addRecording } from '../../support/rows/recordings.ts';

let api: TestApi;
let user: ApiUser;
let recording: RecordingRow;
let path: string;

beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  recording = await addRecording(api.context, user.userId);
  path = `/recordings/${recording.id}`;
});
afterAll(() => api?.drop());

const determined = () => findAttributeGroups(api.context.db, recording.deviceId);

test('a recording determines gender and age where nobody has switched them off', async () => {
  expect((await user.get(path)).body.data.attributeGroups).toEqual(['gender', 'age']);
  expect(await determined()).toEqual(['gender', 'age']);
});

test('what is switched off for a recording, or for the account, is not determined', async () => {
  const { data } = (await user.patch(path, { attributeGroups: ['gender'] })).body;
  expect(data.attributeGroups).toEqual(['gender']);
  expect(await determined()).toEqual(['gender']);
  await user.patch('/users/me', { attributeGroups: ['age'] });
  expect(await determined()).toEqual([]);
  await user.patch(path, { attributeGroups: ['age', 'gender', 'age'].slice(0, 2) });
  expect(await determined()).toEqual(['age']);
  await user.patch('/users/me', { attributeGroups: ['gender', 'age'] });
});

test.each([[['height']], ['gender'], [null], [['gender', 'age', 'gender']], [[1]]])(
  '%j is refused',
  async (attributeGroups) => {
    expect(codeOf(await user.patch(path, { attributeGroups }))).toEqual([400, 'VALIDATION_ERROR']);
  },
);

test('the audit log has each switch of an account, a device and a recording once', async () => {
  const { deviceId } = await shopOf(user);
  const other = await addRecording(api.context, user.userId);
  const before = (await user.get('/audit')).body.data.length;
  for (let round = 0; round < 2; round++) {
    await user.patch('/users/me', { attributeGroups: ['age'], name: 'Shop' });
    await user.patch(`/devices/${deviceId}`, { attributeGroups: [], name: 'Till' });
    await user.patch(`/recordings/${other.id}`, { attributeGroups: ['gender'], name: 'Friday' });
  }
  const { data } = (await user.get('/audit')).body;
  const entries = (data as { action: string; target: unknown; details: unknown }[])
    .slice(0, data.length - before)
    .map(({ action, target, details }) => [action, target, details]);
  expect(entries.reverse()).toEqual([
    ['attribute_groups_changed', null, { groups: ['age'] }],
    ['account_changed', null, { fields: ['name'] }],
    ['attribute_groups_changed', { kind: 'device', id: deviceId }, { groups: [] }],
    ['attribute_groups_changed', { kind: 'recording', id: other.id }, { groups: ['gender'] }],
    ['account_changed', null, { fields: ['name'] }],
  ]);
});
