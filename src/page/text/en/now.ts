export const now = {
  title: 'Now',
  waiting: 'Waiting',
  estimatedWait: 'Wait, about',
  trend: { growing: 'growing', shrinking: 'shrinking' },
  waitWithTarget: (target: string) => `Wait (target ${target})`,
  against: {
    longest: (wait: string, target: string) =>
      `Somebody has waited ${wait} already; the target is ${target}.`,
    joining: (wait: string, target: string) =>
      `Anyone who joins now waits about ${wait}; the target is ${target}.`,
    atMost: (wait: string, target: string) =>
      `Anyone who joins now may wait up to ${wait}; the target is ${target}.`,
  },
  inService: 'Being served',
  tillsOpen: (open: string, all: number) => `${open} of ${all} ${all === 1 ? 'till' : 'tills'} open`,
  lastHour: 'Queue, last 60 minutes',
  sparkOf: (values: readonly string[]) =>
    `Mean queue of the last hour in steps of five minutes: ${values.join(', ')}`,
  pictureOf: (camera: string) => `What ${camera} saw last`,
  noNumbersYet: 'no numbers yet',
  site: 'Site',
  everySite: 'All',
  leadLabel: 'What to do now',
  lead: {
    send: (place: string, waiting: number, wait: string | null): string =>
      `Send someone to ${place}: ${waiting} ${waiting === 1 ? 'waits' : 'wait'}${wait === null ? '' : `, ${wait}`}`,
    lookAt: (place: string): string => `Look at ${place}: it needs attention`,
    within: (queues: number): string =>
      queues === 1 ? 'The queue is within its target.' : `All ${queues} queues are within their targets.`,
    calm: (fine: number, of: number): string =>
      fine < of
        ? `${fine === 1 ? 'The queue in view needs' : `The ${fine} queues in view need`} nobody.`
        : fine === 1
          ? 'The queue needs nobody.'
          : `None of the ${fine} queues needs anybody.`,
    blind: 'No queue is in view now: look at the cameras.',
    starting: 'Counting is starting.',
    stopped: 'Nothing is counted now.',
  },
  show: 'Show',
  facts: {
    waiting: (count: number) => `${count} waiting`,
    inService: (count: number) => `${count} being served`,
    fine: (count: number) => `${count} fine`,
    close: (count: number) => `${count} close to target`,
    attention: (count: number): string => (count === 1 ? '1 needs attention' : `${count} need attention`),
    down: (count: number): string => (count === 1 ? '1 camera down' : `${count} cameras down`),
  },
  lastWaiting: (waiting: number, age: string) => `last ${waiting} waiting, ${age} ago`,
  stoppedPlaces: (count: number): string =>
    count === 1 ? '1 area is not counted now' : `${count} areas are not counted now`,
  why: 'Why?',
  said: (message: string) => `Details: ${message}`,
  restart: 'Restart',
  reasons: {
    critical: 'Act now',
    over: 'Over target',
    warning: 'Attention',
    fault: 'Camera fault',
    offline: 'Camera offline',
    failed: 'Counting cannot run',
    old: 'No new numbers',
    close: 'Close to target',
    fine: 'Within target',
    counting: 'Counting',
    uncertain: 'Uncertain',
    starting: 'Starting',
    waiting: 'Starts soon',
    stopped: 'Stopped',
  },
  noCameras: 'Connect your first camera',
  noCamerasText: 'As soon as a camera is connected and its zones are drawn, the queue is shown here.',
  addCamera: 'Connect a camera',
  noZones: 'Draw the queue on a camera',
  noZonesText: 'Your cameras have no zones yet. Draw where people wait and where they are served.',
  drawZones: 'Go to the cameras',
};
