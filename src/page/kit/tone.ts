/** What a colour means. A shape always says the same, for people who do not see the colour. */
export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain' | 'off';
