const points = (count: number) => `${count} ${count === 1 ? 'point' : 'points'}`;

/** Texts of the zone editor. */
export const zones = {
  editor: 'Zone editor',
  kinds: {
    queueZone: 'Queue',
    checkoutZone: 'Service',
    staffZone: 'Staff',
    mask: 'Privacy mask',
  },
  meanings: {
    queueZone: 'where people wait',
    checkoutZone: 'where people are served',
    staffZone: 'where staff stand; they are not counted',
    mask: 'black in every picture',
  },
  draw: 'What do you want to draw?',
  notDrawn: 'not drawn yet',
  points,
  maskNumber: (number: number) => `Privacy mask ${number}`,
  hints: {
    start: 'Choose what to draw, then tap its corners in the picture.',
    pick: 'Tap a zone in the picture to change it, or choose above what to draw.',
    first: {
      queueZone: 'Tap the first corner of the floor where people wait.',
      checkoutZone: 'Tap the first corner of the floor where people are served.',
      staffZone: 'Tap the first corner of the place where only staff stand.',
      mask: 'Tap the first corner of what nobody should see.',
    },
    next: 'Tap the next corner, going around the edge.',
    finish: 'Tap more corners, or press Done.',
    full: 'A polygon has at most 20 points. Press Done.',
    shape: 'Drag a corner to move it, or a small dot to add a corner.',
    point: 'Drag the corner, or tap the place where it should be.',
    feet: 'The dots are people as they stand now.',
  },
  done: 'Done',
  undo: 'Undo',
  redo: 'Redo',
  remove: 'Delete',
  removePoint: 'Delete corner',
  removeShape: (name: string) => `Delete ${name}`,
  templates: 'Or start with',
  template: { till: 'a line at a till', room: 'a waiting room' },
  picture: 'Picture of the camera',
  noPicture: 'There is no picture now. You can still draw, or try again later.',
  shapeLabel: (name: string, count: number) => `${name}, ${points(count)}. Press Enter to edit it.`,
  pointLabel: (number: number, count: number, x: string, y: string) =>
    `Corner ${number} of ${count}: ${x} from the left, ${y} from the top`,
  keys: 'Tab goes to the next corner. Arrow keys move it by 1 %, with Shift by 0.1 %. Enter adds a corner, Delete removes it, Escape gives up.',
  table: 'Corners as numbers',
  tableText: 'Percent of the width from the left, and of the height from the top.',
  corner: 'Corner',
  fromLeft: 'From the left, %',
  fromTop: 'From the top, %',
  notANumber: 'Enter a number from 0 to 100.',
  addPoint: 'Add corner',
  fault: {
    tooFew: 'needs at least 3 corners.',
    tooMany: 'has more than 20 corners.',
    outside: 'has a corner outside the picture.',
    tooSmall: 'is too small: draw it around the place where people stand.',
    samePoints: (first: number, second: number) =>
      `has corners ${first} and ${second} at the same place. Move or delete one.`,
    crossing: (first: number, second: number) =>
      `crosses itself: edges ${first} and ${second} meet. Move a corner so that they do not.`,
  },
  nothingCounts: 'Draw a queue or a service zone, so that somebody is counted.',
  staffCovers: {
    queueZone: 'The staff zone covers the whole queue: customers would count as staff. Make it smaller.',
    checkoutZone:
      'The staff zone covers the whole service zone: customers would count as staff. Make it smaller.',
  },
  around: {
    title: 'The queue surrounds the service zone.',
    advice:
      'Whoever has been served walks out through the queue, and may count as waiting again and then as having given up. Draw the queue beside the service zone, only where people wait.',
  },
  hour: {
    show: 'Where people were in the last hour',
    kinds: {
      seen: 'feet seen',
      estimated: 'feet hidden, estimated here',
      unknown: 'body ends here, feet unknown',
    },
    until: 'Newest:',
    unknownFeet:
      'Nobody knows where the feet of people are here: the camera sees too little of them. Draw the zones around the places where their bodies end.',
    beside: (zone: string, share: string) => `${share} of the people at “${zone}” stand just outside of it.`,
    besideText:
      'Their legs are hidden, so they are not counted. If these are customers, take the dashed zone; you can still change it before you save.',
    take: 'Take the dashed zone',
    leave: 'Leave it as it is',
  },
  standing: (queue: number, service: number) => `Now: ${queue} in the queue, ${service} in service`,
};
