import { expect, test } from '@jest/globals';
import { evaluateAlerts } from '../../../../scripts/evaluate/alerts/command.ts';

// The long form: npm run -s evaluate -- alerts
test('in 15 minutes of the simulated shop every rule fires within 2 s of the moment that the script requires, and at no other time', () => {
  const rules = evaluateAlerts({ seed: 1, minutes: 15, fps: 5 });
  for (const { name, missed, unfounded, withinCooldown } of rules) {
    expect({ name, missed, unfounded, withinCooldown }).toEqual({
      ...{ name, missed: [], unfounded: [], withinCooldown: [] },
    });
  }
  const fired = rules.map(({ fired: many }) => many);
  expect(fired.slice(0, -1).every((many) => many > 0)).toBe(true);
  expect(fired.at(-1)).toBe(0);
});
