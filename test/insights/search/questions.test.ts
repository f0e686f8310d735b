import { expect, test } from '@jest/globals';
import { QUESTIONS } from './questions.ts';
import { told } from './told.ts';

// What people asked or might ask, with exactly the filters that it means. Most meanings were written before the rules.
test.each(QUESTIONS.map((question) => [question.query, question] as const))(
  '“%s” has exactly the filters that it means',
  (query, { asked, meant }) => {
    expect(told(query, asked)).toEqual(meant);
  },
);
