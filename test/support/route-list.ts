/** The routes of the specification, in its order, with their operationIds. Generated clients use these names: never change one. */
export const SPECIFIED = lines(`
  listInsights GET /analysis/insights
  getInsight GET /analysis/insights/{id}
  listInsightSnapshots GET /analysis/insights/{id}/snapshots
  listInsightAttributes GET /analysis/insights/{id}/attributes
  getAttributeStatistics GET /analysis/insights/attributes/stats
  listInsightSummaries GET /analysis/insights/vlm-summaries
  searchInsights POST /analysis/insights/search
  listAttributeRecords GET /analysis/attributes
  getAttributeRecord GET /analysis/attributes/{id}
  startAnalysis POST /devices/{id}/analysis/start
  stopAnalysis POST /devices/{id}/analysis/stop
  getAnalysisStatus GET /devices/{id}/analysis/status
  listAnalysisHistory GET /devices/{id}/analysis/history
  listTasks GET /analysis/tasks
  getTaskStatistics GET /analysis/tasks/statistics
  getTask GET /analysis/tasks/{id}
  cancelTask PATCH /analysis/tasks/{id}
  deleteTask DELETE /analysis/tasks/{id}
  createScene POST /scenes
  listScenes GET /scenes
  getScene GET /scenes/{id}
  updateScene PATCH /scenes/{id}
  deleteScene DELETE /scenes/{id}
  listMetrics GET /alerts/metrics/queue_analysis
  listMetricsByGroup GET /alerts/metrics/queue_analysis/grouped
  createAlertRule POST /alerts/rules
  listAlertRules GET /alerts/rules
  getAlertRule GET /alerts/rules/{id}
  updateAlertRule PATCH /alerts/rules/{id}
  deleteAlertRule DELETE /alerts/rules/{id}
  listAlertEvents GET /analysis/alerts
  getAlertStatistics GET /analysis/alerts/stats
  getAlertEvent GET /analysis/alerts/{id}
  deleteAlertEvent DELETE /analysis/alerts/{id}
  listSnapshots GET /analytics/snapshots
  getLatestSnapshot GET /analytics/snapshots/latest
  listRollingRecords GET /analytics/rolling
  getLatestRollingRecord GET /analytics/rolling/latest
  getLatestMetrics GET /analytics/scenes/{id}/latest
  getMonthlyQuota GET /billing/monthly-quota
  listMonthlyQuota GET /billing/quota
  getUsageByType GET /billing/summary
  listUsageByDevice GET /billing/summary/by-device
  listUsageEvents GET /billing/usage
  getUsageTrend GET /billing/dashboard/trend
  compareUsage GET /billing/dashboard/comparison
  forecastUsage GET /billing/dashboard/forecast
  listQuotaTransactions GET /billing/transactions
  getUserUsage GET /usage/user/summary
  getDeviceUsage GET /usage/devices/{deviceId}
  getWebhook GET /users/me/webhook
  createWebhook POST /users/me/webhook
  updateWebhook PATCH /users/me/webhook
  deleteWebhook DELETE /users/me/webhook
  testWebhook POST /users/me/webhook/test
  getWebhookSecret GET /users/me/webhook/secret
  regenerateWebhookSecret POST /users/me/webhook/secret/regenerate
  listWebhookDeliveries GET /users/me/webhook/deliveries
`);

/** The routes that the specification does not show, with their operationIds. */
export const OURS = lines(`
  signIn POST /session
  getSession GET /session
  signOut DELETE /session
  listSessions GET /sessions
  revokeSession DELETE /sessions/{id}
  createLoginCode POST /login-codes
  getSetup GET /setup
  setUp POST /setup
  getCurrentUser GET /users/me
  updateCurrentUser PATCH /users/me
  createApiKey POST /api-keys
  listApiKeys GET /api-keys
  revokeApiKey DELETE /api-keys/{id}
  createDevice POST /devices
  listDevices GET /devices
  probeAddress POST /devices/probe
  getDevice GET /devices/{id}
  updateDevice PATCH /devices/{id}
  deleteDevice DELETE /devices/{id}
  discoverCameras POST /devices/discover
  getDiscovery GET /devices/discover/{id}
  getFloorMap GET /analytics/scenes/{id}/floor
  getDeviceFrame GET /devices/{id}/frame
  watchDevice GET /devices/{id}/live
  createSite POST /sites
  listSites GET /sites
  getSite GET /sites/{id}
  createRecording POST /recordings
  listRecordings GET /recordings
  getRecording GET /recordings/{id}
  updateRecording PATCH /recordings/{id}
  deleteRecording DELETE /recordings/{id}
  getRecordingFrame GET /recordings/{id}/frame
  startRecordingAnalysis POST /recordings/{id}/analysis
  cancelRecordingAnalysis DELETE /recordings/{id}/analysis
  updateSite PATCH /sites/{id}
  deleteSite DELETE /sites/{id}
  getOverview GET /overview
  listEvents GET /events
  getSitesOverview GET /overview/sites
  streamEvents GET /stream
  getImage GET /images/{day}/{name}
  listAuditEntries GET /audit
  listAllAuditEntries GET /admin/audit
  updateAlertEvent PATCH /analysis/alerts/{id}
  previewAlertRule POST /alerts/rules/preview
  recoverWebhook POST /users/me/webhook/recover
  getWebhookStatistics GET /users/me/webhook/stats
  redeliverWebhook POST /users/me/webhook/deliveries/{id}/redeliver
  createUser POST /admin/users
  getUser GET /admin/users/{id}
  getAdminOverview GET /admin/overview
  listUsers GET /admin/users
  topUpUserQuota POST /admin/users/{id}/quota/top-up
  setUserQuota PUT /admin/users/{id}/quota
  setDeviceQuota PUT /admin/devices/{id}/quota
  listComputeNodes GET /admin/compute-nodes
  createAnnouncement POST /admin/announcements
  getSceneSeries GET /analytics/scenes/{id}/series
  getSceneHeatmap GET /analytics/scenes/{id}/heatmap
  getSceneDistribution GET /analytics/scenes/{id}/distribution
  getSiteSeries GET /analytics/sites/{id}/series
  getSiteHeatmap GET /analytics/sites/{id}/heatmap
  getSiteDistribution GET /analytics/sites/{id}/distribution
  listVisits GET /visits
  getReport GET /reports/{siteId}
`);

function lines(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim());
}
