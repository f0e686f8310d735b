import { z } from 'zod';
import { text } from '../../../../http/fields.ts';

/** Seconds of a film: more of them nobody looks through. */
export const MOST_FILM_SECONDS = 3_600;
const MOST_VISITS = 1_000;

export const SHOWS_PEOPLE =
  'Show people to those who check, although the account hides them (`blurPeople`): whoever looks needs `analysis:control`, masks stay, no picture stays after the check, and the start and who looks are in the audit log';

export const newTimesCheck = z.strictObject({
  seconds: z
    .int()
    .min(30)
    .max(MOST_FILM_SECONDS)
    .default(600)
    .meta({
      description: `Length of the film, 30-${MOST_FILM_SECONDS} s; of a camera at most 1,200. Of a recording never more than it has`,
    }),
  from: z.int().min(0).max(1_000_000).default(0).meta({
    description: 'Of a recording: where the film begins, seconds. A camera is filmed from now on',
  }),
  showsPeople: z.boolean().default(false).meta({ description: SHOWS_PEOPLE }),
});
export type NewTimesCheck = z.output<typeof newTimesCheck>;

const second = z.number().min(0).max(MOST_FILM_SECONDS).nullable();
const markedTimes = z
  .strictObject({
    person: text(1, 40).meta({ description: 'Any text that tells people apart' }),
    joinedAt: second.meta({
      description: 'When the person entered the line; 0: was there before. Null: did not wait',
    }),
    servedAt: second.meta({ description: 'When the service began; null where there was none' }),
    leftAt: second.meta({
      description: 'When the person left; null: still there when the film ends',
    }),
  })
  .superRefine(({ joinedAt, servedAt, leftAt }, context) => {
    if (joinedAt === null && servedAt === null)
      context.addIssue({ code: 'custom', path: ['joinedAt'], message: 'or `servedAt` must be a time' });
    const began = servedAt ?? joinedAt;
    for (const [name, time, before] of [
      ['servedAt', servedAt, joinedAt] as const,
      ['leftAt', leftAt, began] as const,
    ])
      if (time !== null && before !== null && time < before)
        context.addIssue({ code: 'custom', path: [name], message: 'times must not go back' });
  });
export const timesAnswer = z.strictObject({
  visits: z
    .array(markedTimes)
    .max(MOST_VISITS)
    .meta({
      description: `Everybody who waited or was served in the film, at most ${MOST_VISITS}; staff are left out. Seconds of the film, none after its end, which is \`film.seconds\``,
    }),
});
export const storedMarks = z.array(markedTimes);
export type MarkedTimes = z.output<typeof markedTimes>;

export const filmQuery = z.object({
  piece: z.coerce.number().int().min(0).max(MOST_FILM_SECONDS).default(0).meta({
    description: 'Its number, from 0',
  }),
});

const lengths = z
  .strictObject({
    compared: z.int().meta({ description: 'Matched stays of which both lengths are known' }),
    medianErrorSeconds: z.number().meta({ description: 'Half of them differ by at most so much' }),
    p90ErrorSeconds: z.number().meta({ description: 'Nine tenths of them differ by at most so much' }),
    meanOurs: z.number().meta({ description: 'Mean length by our count, seconds' }),
    meanTheirs: z.number().meta({ description: 'Mean length by that of the checkers, seconds' }),
  })
  .nullable()
  .meta({ description: 'Lengths as far as the film shows them; null where none can be compared' });

const visitFigures = z
  .strictObject({
    marked: z.int().meta({ description: 'Stays that the checkers have marked, of all of them together' }),
    ours: z.int().meta({ description: 'Stays that we counted, once for each checker' }),
    matched: z.int().meta({ description: 'Pairs that are at least half of the time together' }),
    f1Percent: z
      .strictObject({
        value: z.number().meta({ description: 'Twice the pairs in percent of all stays of both sides' }),
        from: z.number().meta({ description: 'Lower end of the 95 % range' }),
        to: z.number().meta({ description: 'Upper end of the 95 % range' }),
      })
      .meta({ description: 'How many visits are right (range: bootstrap)' }),
    lengths,
  })
  .nullable()
  .meta({ id: 'TimesFigures', description: 'Null where nobody was, or the scene has no such zone' });

export const timesResult = z
  .strictObject({
    waiting: visitFigures.meta({ description: 'Stays in the line; their lengths are the waits' }),
    served: visitFigures.meta({ description: 'Services' }),
    differences: z
      .array(
        z.strictObject({
          kind: z.enum(['missed', 'invented']).meta({
            description: '`missed`: only a checker has seen it. `invented`: only we have',
          }),
          part: z.enum(['waiting', 'served']).meta({ description: 'Of which figures' }),
          from: z.number().meta({ description: 'Seconds of the film' }),
          to: z.number().meta({ description: 'Seconds of the film' }),
          person: z.string().nullable().meta({ description: 'Whom the checker called so' }),
        }),
      )
      .meta({ description: 'Where the answers differ, the longest first, at most 100' }),
    agreement: z
      .strictObject({
        checkers: z.int().meta({ description: 'How many have marked' }),
        f1Percent: z.number().meta({ description: 'As `f1Percent`, of each pair of them' }),
        medianErrorSeconds: z
          .number()
          .nullable()
          .meta({ description: 'Median difference of the lengths that both have marked' }),
      })
      .nullable()
      .meta({ description: 'How much the checkers agree; null with one of them' }),
  })
  .meta({ id: 'TimesResult' });
export type TimesResult = z.output<typeof timesResult>;
