import { expect, test } from '@jest/globals';
import { z } from 'zod';
import { discoveryOf, discoveryTopics } from '../../src/mqtt/discovery.ts';
import { presentState } from '../../src/mqtt/present.ts';
import type { SceneNow } from '../../src/mqtt/scenes.store.ts';
import { Topics } from '../../src/mqtt/topics.ts';
import { METRICS } from './world.ts';

const USER = '0198b3a0-0000-7000-8000-000000000001';
const SCENE = '0198b3a0-0000-7000-8000-000000000002';
const topics = new Topics('shop/cameras', 'homeassistant');
const scene: SceneNow = {
  sceneId: SCENE,
  userId: USER,
  name: 'Queue',
  zones: ['queueZone', 'checkoutZone', 'tills'],
  deviceId: '0198b3a0-0000-7000-8000-000000000003',
  deviceName: 'Till 3',
  onlineStatus: 'online',
  analysisStatus: 'running',
  fault: null,
  metricsUpdatedAt: new Date(0),
  isMeasured: true,
  firingSeverity: null,
  metrics: METRICS,
};
const PAGE = 'https://video.example.com/#/cameras/1';

/** What the documentation of Home Assistant allows in discovery messages of these components. */
const common = {
  unique_id: z.string(),
  name: z.string(),
  state_topic: z.string(),
  icon: z.string().startsWith('mdi:').optional(),
  entity_category: z.literal('diagnostic').optional(),
  availability: z
    .array(z.strictObject({ topic: z.string(), value_template: z.string().optional() }))
    .nonempty(),
  availability_mode: z.enum(['all', 'any', 'latest']).optional(),
  device: z.strictObject({
    identifiers: z.array(z.string()).nonempty(),
    name: z.string(),
    manufacturer: z.string(),
    model: z.string(),
    sw_version: z.string(),
    configuration_url: z.url(),
  }),
  origin: z.strictObject({ name: z.string(), sw_version: z.string() }),
};
const COMPONENTS: Record<string, z.ZodType> = {
  sensor: z.strictObject({
    ...common,
    value_template: z.string(),
    unit_of_measurement: z.string().optional(),
    device_class: z.enum(['duration']).optional(),
    state_class: z.enum(['measurement', 'total_increasing']).optional(),
    suggested_display_precision: z.int().optional(),
  }),
  binary_sensor: z.strictObject({
    ...common,
    value_template: z.string(),
    device_class: z.enum(['connectivity', 'problem']),
    json_attributes_topic: z.string().optional(),
    json_attributes_template: z.string().optional(),
  }),
  event: z.strictObject({ ...common, event_types: z.array(z.string()).nonempty() }),
};

test('every discovery message is one that Home Assistant accepts, below the id of the user', () => {
  const messages = discoveryOf(scene, topics, PAGE);
  expect(messages.length).toBeGreaterThan(15);
  for (const { topic, config } of messages) {
    const [, component, user, object] =
      /^homeassistant\/(\w+)\/([\w-]+)\/([\w-]+)\/config$/.exec(topic) ?? [];
    expect(COMPONENTS[component!]!.safeParse(config).error).toBeUndefined();
    expect(user).toBe(USER);
    expect(config).toMatchObject({
      unique_id: object,
      device: { identifiers: [SCENE], name: 'Till 3' },
    });
    expect(object!.startsWith(`${SCENE}_`)).toBe(true);
  }
  expect(new Set(messages.map(({ topic }) => topic)).size).toBe(messages.length);
});

test('units and classes follow the catalogue of metrics', () => {
  const configs = Object.fromEntries(
    discoveryOf(scene, topics, PAGE).map(({ topic, config }) => [topic.split(`${SCENE}_`)[1], config]),
  );
  expect(configs['in_queue/config']).toMatchObject({
    name: 'In queue',
    unit_of_measurement: 'people',
    state_class: 'measurement',
    value_template: '{{ value_json.current.inQueue }}',
    availability: [
      { topic: 'shop/cameras/status' },
      { topic: `shop/cameras/${USER}/${SCENE}/state`, value_template: expect.stringContaining('measured') },
    ],
    availability_mode: 'all',
  });
  expect(configs['average_wait_15_min/config']).toMatchObject({
    name: 'Average wait (last 15 min)',
    device_class: 'duration',
    unit_of_measurement: 's',
  });
  expect(configs['abandonment_15_min/config']).toMatchObject({
    unit_of_measurement: '%',
    value_template: expect.stringContaining('* 100'),
  });
  expect(configs['served_total/config']).toMatchObject({ state_class: 'total_increasing' });
  // Whether the camera is there is known also without numbers.
  expect(configs['camera/config']).toMatchObject({
    device_class: 'connectivity',
    availability: [{ topic: 'shop/cameras/status' }],
  });
});

test('every template reads fields that the state has', () => {
  const state = JSON.parse(JSON.stringify(presentState(scene, 'b'))) as Record<string, unknown>;
  const texts = discoveryOf(scene, topics, PAGE).flatMap(({ config }) => JSON.stringify(config));
  const paths = new Set(texts.flatMap((text) => text.match(/value_json(\.\w+)+/g) ?? []));
  expect(paths.size).toBeGreaterThan(15);
  for (const path of paths) expect(state).toHaveProperty(path.replace('value_json.', ''));
});

test('what the zones of a scene cannot measure has no entity, and is removed where there was one', () => {
  const messages = discoveryOf({ ...scene, zones: ['queueZone'] }, topics, PAGE);
  const removed = messages.filter(({ config }) => config === null).map(({ topic }) => topic);
  const keys = removed.map((topic) => topic.split(`${SCENE}_`)[1]);
  expect(keys).toEqual([
    'in_service/config',
    ...['open_tills/config', 'serving_tills/config', 'free_tills/config'],
    'average_service_15_min/config',
    'abandonment_15_min/config',
    'till_utilization_15_min/config',
    'gave_up_total/config',
  ]);
  expect(discoveryTopics(scene, topics)).toEqual(messages.map(({ topic }) => topic));
});

test('only topics of states are read back', () => {
  const place = { userId: USER, sceneId: SCENE };
  expect(topics.placeOfState(topics.state(place))).toEqual(place);
  for (const topic of [topics.alert(place), `shop/cameras/${USER}/x/state`, `shop/${USER}/${SCENE}/state`])
    expect(topics.placeOfState(topic)).toBeNull();
});
