import { ENGLISH_METRICS } from '../../../catalogue/metrics/english.ts';
import type { Texts } from './texts.ts';

export const ENGLISH: Texts = {
  severity: { warning: 'Warning', critical: 'Critical' },
  metrics: ENGLISH_METRICS,
  feature: {
    analysis: 'Counting',
    alert: 'Alerts',
    attribute: 'Attributes of people',
    vlm: 'Descriptions and searches',
  },
  offline: {
    title: (device) => `${device} is offline`,
    sentence: 'No pictures come from the camera, so nobody is counted.',
  },
  online: {
    title: (device) => `${device} is online again`,
    sentence: (age) => `Pictures come again after ${age}.`,
  },
  failed: {
    title: (scene) => `${scene} is not counted any more`,
    sentence: 'Counting cannot run, and does not start again by itself. Tell your operator.',
  },
  quota: {
    title: (feature, percent) => `${feature}: ${percent} of the limit used`,
    sentence: (used, limit, period) => `${used} of ${limit} in ${period}.`,
    exceeded: 'The limit is reached.',
  },
  unusual: (scene) => `Not as usual: ${scene}`,
  advice: { title: (scene) => `Tills: ${scene}`, language: 'en' },
  where: 'Where',
  when: 'Since',
  details: 'Details',
  also: 'Also',
  more: (count, since) => `${count} more since ${since}`,
  open: 'Open',
  why: 'You get this message because you have subscribed to it.',
  unsubscribe: 'Unsubscribe',
  confirmation: {
    title: 'Your confirmation code',
    sentence: (code, minutes) =>
      `The code that confirms this address is ${code}. It is valid for ${minutes} minutes.`,
    ignore: 'If you have not asked for it, ignore this message: nothing more will be sent.',
  },
  test: { title: 'Test message', sentence: 'Messages arrive on this channel.' },
  unsubscribePage: {
    title: 'Unsubscribe',
    question: 'Do you want to get no more messages of this subscription?',
    button: 'Unsubscribe',
    done: 'You get no more messages of this subscription.',
  },
};
