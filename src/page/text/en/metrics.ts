export { ENGLISH_METRICS as metrics } from '../../../catalogue/metrics/english.ts';
