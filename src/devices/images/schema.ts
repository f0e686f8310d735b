import { z } from 'zod';
import { id } from '../../http/fields.ts';

export const frameQuery = z.object({
  sceneId: id().optional().meta({ description: 'Draw the zones of this scene of the device' }),
});
