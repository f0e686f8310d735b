import { afterAll, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { type ApiUser, shopOf, type TestApi, testApi } from '../support/api.ts';
import { type Mistake, readMistakes } from './mistakes.ts';

let api: TestApi;
let user: ApiUser;
let shop: { deviceId: string; sceneId: string };

beforeAll(async () => {
  api = await testApi();
  user = await api.user();
  shop = await shopOf(user);
});
afterAll(() => api?.drop());

const withIds = (text: string) =>
  text.replaceAll('<device>', shop.deviceId).replaceAll('<scene>', shop.sceneId);
const withoutIds = (text: string) =>
  text.replaceAll(shop.deviceId, '<device>').replaceAll(shop.sceneId, '<scene>');

async function answerTo({ method, path, body, headers }: Mistake) {
  const call = request(api.app)[method](withIds(path)).set('Authorization', `Bearer ${user.key}`);
  if (body !== undefined) call.set('Content-Type', 'application/json');
  for (const [name, value] of headers) {
    if (value === '') call.unset(name);
    else call.set(name, value);
  }
  return body === undefined ? call : call.send(withIds(body));
}

const MISTAKES = [...readMistakes('requests.txt'), ...readMistakes('bodies.txt')];

test.each(MISTAKES.map((mistake) => [mistake.name, mistake] as const))(
  'the answer explains %s',
  async (_name, mistake) => {
    const { status, text, body } = await answerTo(mistake);
    const { message } = body as { message: string };
    expect([status, withoutIds(message)]).toEqual([mistake.status, mistake.message]);
    for (const secret of mistake.secrets) expect(text).not.toContain(secret);
  },
);
