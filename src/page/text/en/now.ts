export const now = {
  title: 'Now',
  waiting: 'Waiting',
  estimatedWait: 'Wait, about',
  inService: 'In service',
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
      `Send someone to ${place}: ${waiting} ${waiting === 1 ? 'waits' : 'wait'}${wait === null ? '' : `, about ${wait}`}`,
    lookAt: (place: string): string => `Look at ${place}: it needs attention`,
    calm: (fine: number, of: number): string =>
      fine < of
        ? `${fine === 1 ? 'The queue that is seen is' : `The ${fine} queues that are seen are`} fine.`
        : fine === 1
          ? 'The queue is fine.'
          : `All ${fine} queues are fine.`,
    blind: 'No queue is seen now: look after the cameras.',
    starting: 'Counting starts.',
    stopped: 'Nothing is counted now.',
  },
  show: 'Show',
  facts: {
    waiting: (count: number) => `${count} waiting`,
    inService: (count: number) => `${count} being served`,
    fine: (count: number) => `${count} fine`,
    attention: (count: number): string => (count === 1 ? '1 needs attention' : `${count} need attention`),
    down: (count: number): string => (count === 1 ? '1 camera down' : `${count} cameras down`),
  },
  lastWaiting: (waiting: number, age: string) => `last ${waiting} waiting, ${age} ago`,
  stoppedPlaces: (count: number): string =>
    count === 1 ? '1 place is not counted now' : `${count} places are not counted now`,
  why: 'Why?',
  said: (message: string) => `Details: ${message}`,
  restart: 'Restart',
  reasons: {
    critical: 'Act now',
    warning: 'Attention',
    fault: 'Camera fault',
    offline: 'Camera offline',
    failed: 'Counting cannot run',
    old: 'No new numbers',
    fine: 'Fine',
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
