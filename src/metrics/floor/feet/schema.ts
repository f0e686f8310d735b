import { z } from 'zod';
import { id, timestamp } from '../../../http/fields.ts';
import { polygonSchema } from '../../../vision/polygon-schema.ts';
import { MINUTES, MOST_A_MINUTE } from './encode-feet.ts';

const share = (description: string) => z.number().min(0).max(1).meta({ description });

const footPoint = z
  .strictObject({
    x: share('Fraction of the width of the picture, from the left'),
    y: share('Fraction of the height of the picture, from the top'),
    feet: z.enum(['seen', 'estimated', 'unknown']).meta({
      description:
        '`seen`: the feet are in the picture. `estimated`: they are hidden, and must be here. `unknown`: what is visible of the person ends here, and the feet may be lower',
    }),
    isStanding: z.boolean().meta({ description: 'Whether the person stood there for some seconds' }),
  })
  .meta({ id: 'FootPoint', example: { x: 0.412, y: 0.687, feet: 'estimated', isStanding: true } });

export const sceneFeet = z
  .strictObject({
    sceneId: id(),
    until: timestamp().nullable().meta({
      description:
        'End of the hour that the points are of: the newest minute with frames. Null where nothing is known: the scene was not analysed, or the camera has been turned',
    }),
    feet: z.enum(['known', 'unknown']).nullable().meta({
      description:
        '`unknown`: for most people it is not known where the feet are, for example because the camera sees only heads or upper bodies; their points are the lower ends of what is visible. Null before enough people were seen',
    }),
    points: z
      .array(footPoint)
      .max(MINUTES * MOST_A_MINUTE)
      .meta({
        description: `Where people were, oldest minute first: at most ${MOST_A_MINUTE} points of each minute, chosen evenly. Without persons and times; staff is left out`,
      }),
    proposal: z
      .strictObject({
        zone: z.enum(['queueZone', 'checkoutZone']).meta({ description: 'The zone to draw wider' }),
        share: share(
          'Share of the people standing in the zone or cut off just outside it who are cut off just outside it',
        ),
        polygon: polygonSchema.meta({ description: 'The zone with the places of these people' }),
      })
      .nullable()
      .meta({
        description:
          'A better polygon for the zone beside which people whose feet are hidden often stand; null where there is none, and where it was left (`PUT /scenes/{id}/left-proposal`) or has little else than one that was. It may have places of staff: nobody has looked at it',
      }),
  })
  .meta({ id: 'SceneFeet' });
