export { GERMAN_METRICS as metrics } from '../../../catalogue/metrics/german.ts';
