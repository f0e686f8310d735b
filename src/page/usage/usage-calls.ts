import { api } from '../api/client.ts';
import { asCsv } from '../api/use-download.ts';
import type { Feature } from './meters.ts';

export const readSummary = (billingPeriod: string) =>
  api.GET('/billing/summary', { params: { query: { billingPeriod } } });

export const readForecast = (billingPeriod: string) =>
  api.GET('/billing/dashboard/forecast', { params: { query: { billingPeriod } } });

export const readComparison = (billingPeriod: string) =>
  api.GET('/billing/dashboard/comparison', { params: { query: { billingPeriod } } });

/** Usage of each day from one moment to another. */
export const readTrend = (startDate: string, endDate: string) =>
  api.GET('/billing/dashboard/trend', { params: { query: { granularity: 'day', startDate, endDate } } });

export const listDevices = (billingPeriod: string, page: number) =>
  api.GET('/billing/summary/by-device', { params: { query: { billingPeriod, page, limit: 20 } } });

export const devicesCsv = (billingPeriod: string) =>
  api.GET('/billing/summary/by-device', asCsv({ query: { billingPeriod } }));

export const listLedger = (billingPeriod: string, featureType: Feature | undefined, page: number) =>
  api.GET('/billing/transactions', {
    params: { query: { billingPeriod, page, limit: 20, ...(featureType && { featureType }) } },
  });

export const ledgerCsv = (billingPeriod: string) =>
  api.GET('/billing/transactions', asCsv({ query: { billingPeriod } }));
