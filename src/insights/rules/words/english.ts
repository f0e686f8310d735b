import { ENGLISH_METRICS } from '../../../catalogue/metrics/english.ts';
import type { InsightWords, Seen } from './words.ts';

/** `nobody`, `1 person`, `7 people`. */
function people(count: number, seen: Seen): string {
  if (seen === 'vehicle') return count === 1 ? '1 vehicle' : `${count === 0 ? 'no' : count} vehicles`;
  return count === 0 ? 'nobody' : count === 1 ? '1 person' : `${count} people`;
}

const areOf = (count: number, seen: Seen): string =>
  count === 1 || (count === 0 && seen === 'person') ? 'is' : 'are';

const WHICH = { one: 'It has been', all: 'All conditions of the rule have been', any: 'It has been' };

export const ENGLISH: InsightWords = {
  words: ENGLISH_METRICS,
  locale: 'en',
  held: {
    before: (time, lasted) =>
      `It was so already when the rule began to watch at ${time}${lasted ? `, ${lasted} ago` : ''}.`,
    since: (which, time, lasted) => `${WHICH[which]} so since ${time}${lasted ? `, for ${lasted}` : ''}.`,
  },
  usual: (value, days) => `At this hour it is usually about ${value} (last ${days} days)`,
  compared: {
    times: (factor) => `now ${factor} times that`,
    only: (percent) => `now only ${percent} of that`,
    same: 'today is not out of the ordinary',
  },
  lastHour: (value) => `Over the last hour it was ${value}; there is no longer history to compare with yet.`,
  waiting: (count, seen, longest) =>
    `${people(count, seen)} ${areOf(count, seen)} waiting${longest ? `, the longest for ${longest}` : ''}`,
  served: (count, seen) => `${people(count, seen)} ${areOf(count, seen)} being served`,
  inService: (count) => `${count === 0 ? 'nobody' : count} in service`,
  recent: ({ arrivals, completed, gaveUp }, isServed) => {
    const ended = isServed ? (completed === 1 ? 'was served' : 'were served') : 'left the queue';
    return `In the last 5 minutes ${arrivals} came, ${completed} ${ended}${gaveUp > 0 ? `, ${gaveUp} gave up` : ''}.`;
  },
  activities: {
    waiting: (count, seen) => `${people(count, seen)} waiting in the queue`,
    served: (count, seen) => `${people(count, seen)} being served at the checkout`,
    gaveUp: (count, seen) => `${people(count, seen)} left without being served`,
    growing: (isServed) => `more arriving than ${isServed ? 'served' : 'leaving'}`,
  },
  suggestions: {
    checkCamera: 'Check the camera: pictures are missing',
    whyNobodyServed: 'See why nobody is served although people are waiting',
    sendStaff: 'Send staff to the checkout',
    otherWork: 'Staff can do other work for now',
    askCheckout: 'Ask at the checkout whether help is needed',
    openIfGrowing: 'Open another checkout if the queue grows',
    serveWaiting: 'Send somebody to the checkout: people wait and nobody is served',
    openCheckout: 'Open another checkout',
    speakToLine: 'Speak to the people in line: some are giving up',
    lookAgain: 'Look again in five minutes whether the queue is shrinking',
  },
  environment: (at, seen) => {
    const place = { both: 'queue and checkout area', checkout: 'checkout area', queue: 'queue area' }[at];
    return seen === 'vehicle' ? `${place} for vehicles` : place;
  },
};
