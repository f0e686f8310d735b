import { ENGLISH_METRICS } from '../../../catalogue/metrics/english.ts';
import type { Texts } from './texts.ts';

export const ENGLISH: Texts = {
  severity: { warning: 'Warning', critical: 'Critical' },
  metrics: ENGLISH_METRICS,
  perHour: '/h',
  minutes: 'min',
  feature: {
    analysis: 'Analysis',
    alert: 'Alerts',
    attribute: 'Attribute records',
    vlm: 'Tokens of descriptions',
  },
  offline: {
    title: (device) => `${device} is offline`,
    sentence: 'No pictures come from the device, so nothing is measured.',
  },
  online: {
    title: (device) => `${device} is online again`,
    sentence: (minutes) => `Pictures come again after ${minutes}.`,
  },
  failed: {
    title: (scene) => `The analysis of ${scene} has failed`,
    sentence: 'It does not continue by itself.',
  },
  quota: {
    title: (feature, percent) => `${feature}: ${percent} of the quota used`,
    sentence: (used, limit, period) => `${used} of ${limit} in ${period}.`,
    exceeded: 'The quota is used up.',
  },
  advice: { title: (scene) => `Tills: ${scene}`, language: 'en' },
  where: 'Where',
  when: 'Since',
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
