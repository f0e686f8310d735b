import { z } from 'zod';
import { target } from '../../cameras/target.ts';
import { adviceFields } from '../../delivery/events/event-data.ts';
import { id, time, timestamp } from '../../http/fields.ts';
import { OUTCOMES } from './outcome.ts';

export const adviceQuery = z.object({
  from: time().optional().meta({ description: 'Start of the range, included; default: 7 days before `to`' }),
  to: time().optional().meta({ description: 'End of the range, included; default: now' }),
});

export const staffingAdvice = z
  .strictObject({
    id: id(),
    madeAt: timestamp().meta({ description: 'When it was given first' }),
    heldUntil: timestamp().meta({ description: 'It is the current advice until then' }),
    isShadow: z.boolean().meta({
      description:
        'It was stored and nobody was told: the scene has less than 14 days of history, or its advice was mostly needless',
    }),
    ...adviceFields,
    target,
    outcome: z.enum(OUTCOMES).nullable().meta({
      description:
        '`followed`: the tills opened or closed, so that nobody knows what would have happened without it; `helpful`: it was not followed, and the target was missed (more tills), or was kept with so little work that fewer tills could have done it; `needless`: it was not followed, and that was right; `unknown`: nobody joined, or the tills were not seen; null until 20 minutes after its end',
    }),
    people: z.int().nullable().meta({ description: 'People who joined the queue in its time' }),
    actualLateShare: z.number().nullable().meta({ description: 'Share of them who waited too long, 0-1' }),
    actualOpenTills: z.number().nullable().meta({ description: 'Mean number of open tills in its time' }),
  })
  .meta({ id: 'StaffingAdvice', description: 'Advice to open or close tills, and what happened' });

export const NO_ADVICE = ['fewTills', 'notMeasured', 'learning'] as const;

const count = (description: string) => z.int().meta({ description });

export const adviceList = z
  .strictObject({
    current: staffingAdvice
      .nullable()
      .meta({ description: 'The advice of now; null: leave it as it is, or `reason`' }),
    reason: z.enum(NO_ADVICE).nullable().meta({
      description:
        'Why there can be no advice: `fewTills`: the scene has less than two tills; `notMeasured`: no run sees it; `learning`: less than 7 days with customers are known; null: there can be',
    }),
    outcomes: z
      .strictObject({
        followed: count('Advice that was followed'),
        helpful: count('Advice that was not followed and would have been right'),
        needless: count('Advice that was not followed, rightly'),
        unknown: count('Advice of which nothing is known'),
        helpfulShare: z
          .number()
          .nullable()
          .meta({ description: 'Helpful ÷ (helpful + needless), 0-1; null where there was none' }),
      })
      .meta({ description: 'What became of the advice of the range' }),
    advice: z
      .array(staffingAdvice)
      .meta({ description: 'The advice of the range, the newest first, at most 1,000' }),
  })
  .meta({ id: 'SceneAdvice', description: 'Advice for the tills of a scene' });
