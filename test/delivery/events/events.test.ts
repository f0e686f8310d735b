import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import {
  EVENT_TYPES,
  EVENTS,
  eventBody,
  type EventType as Type,
} from '../../../src/delivery/events/catalogue.ts';
import { EventType } from '../../../src/platform/prisma-client/client.ts';

describe('the event types', () => {
  test('the catalogue has exactly the event types of the database', () => {
    expect([...EVENT_TYPES].sort()).toEqual(Object.values(EventType).sort());
    expect(EVENT_TYPES).toHaveLength(19);
  });

  test.each(EVENT_TYPES)('%s: the example fits its schema, and every field has a description', (type) => {
    const body = {
      id: '0197a0c4-5f3e-7d20-9a5c-0f6f0b1c2d05',
      type,
      timestamp: '2026-01-31T08:15:00.000Z',
      data: EVENTS[type].example,
    };
    expect(eventBody(type).parse(body)).toEqual(body);
    const undescribed = (schema: z.core.JSONSchema.BaseSchema): string[] =>
      Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
        const known = field as z.core.JSONSchema.BaseSchema;
        return [...(known.description ? [] : [name]), ...undescribed(known)];
      });
    expect(undescribed(z.toJSONSchema(eventBody(type), { io: 'input', unrepresentable: 'any' }))).toEqual([]);
  });

  test('no event type accepts undescribed fields', () => {
    for (const type of EVENT_TYPES) {
      const more = { ...EVENTS[type].example, secret: 1 };
      expect([type, EVENTS[type].data.safeParse(more).success]).toEqual([type, false]);
    }
  });
});

/** For each event type the test that makes the service send it, with the documented body. */
const CAUSED_IN: Readonly<Record<Type, string>> = {
  analysis_started: 'runs/store/run-events',
  analysis_stopped: 'runs/store/run-events',
  analysis_error: 'runs/store/run-events',
  analysis_waiting: 'runs/store/emit-waiting',
  alert_triggered: 'flows/alert',
  device_offline: 'cameras/devices/device-events',
  device_online: 'cameras/devices/device-events',
  device_analysis_error: 'cameras/devices/device-events',
  device_warning: 'runs/record/cameras/camera-states',
  node_offline: 'runs/node/node-notices',
  node_online: 'runs/node/node-notices',
  node_error: 'runs/node/node-notices',
  node_warning: 'runs/node/node-notices',
  quota_warning: 'billing/charge',
  quota_exceeded: 'billing/charge',
  billing_cycle_completed: 'billing/month-change.job',
  maintenance_scheduled: 'access/api-admin',
  system_announcement: 'access/api-admin',
  staffing_advice: 'analytics/advice/advise.job',
  unusual_activity: 'analytics/unusual/watch-scenes.job',
};

test.each(Object.entries(CAUSED_IN))('%s: the test %s causes it', (type, file) => {
  const story = readFileSync(new URL(`../../${file}.test.ts`, import.meta.url), 'utf8');
  expect(story).toContain(`'${type}'`);
  expect(story).toMatch(/from '(\.\.\/)+support\/told\.ts'/);
});
