/** The routes of the specification, in its order. */
export const SPECIFIED = lines(`
  GET /analysis/insights
  GET /analysis/insights/{id}
  GET /analysis/insights/{id}/snapshots
  GET /analysis/insights/{id}/attributes
  GET /analysis/insights/attributes/stats
  GET /analysis/insights/vlm-summaries
  POST /analysis/insights/search
  GET /analysis/attributes
  GET /analysis/attributes/{id}
  POST /devices/{id}/analysis/start
  POST /devices/{id}/analysis/stop
  GET /devices/{id}/analysis/status
  GET /devices/{id}/analysis/history
  GET /analysis/tasks
  GET /analysis/tasks/statistics
  GET /analysis/tasks/{id}
  PATCH /analysis/tasks/{id}
  DELETE /analysis/tasks/{id}
  POST /scenes
  GET /scenes
  GET /scenes/{id}
  PATCH /scenes/{id}
  DELETE /scenes/{id}
  GET /alerts/metrics/queue_analysis
  GET /alerts/metrics/queue_analysis/grouped
  POST /alerts/rules
  GET /alerts/rules
  GET /alerts/rules/{id}
  PATCH /alerts/rules/{id}
  DELETE /alerts/rules/{id}
  GET /analysis/alerts
  GET /analysis/alerts/stats
  GET /analysis/alerts/{id}
  DELETE /analysis/alerts/{id}
  GET /analytics/snapshots
  GET /analytics/snapshots/latest
  GET /analytics/rolling
  GET /analytics/rolling/latest
  GET /analytics/scenes/{id}/latest
  GET /billing/monthly-quota
  GET /billing/quota
  GET /billing/summary
  GET /billing/summary/by-device
  GET /billing/usage
  GET /billing/dashboard/trend
  GET /billing/dashboard/comparison
  GET /billing/dashboard/forecast
  GET /billing/transactions
  GET /usage/user/summary
  GET /usage/devices/{deviceId}
  GET /users/me/webhook
  POST /users/me/webhook
  PATCH /users/me/webhook
  DELETE /users/me/webhook
  POST /users/me/webhook/test
  GET /users/me/webhook/secret
  POST /users/me/webhook/secret/regenerate
  GET /users/me/webhook/deliveries
`);

/** The routes that the specification needs but does not show. */
export const OURS = lines(`
  POST /api-keys
  GET /api-keys
  DELETE /api-keys/{id}
  POST /devices
  GET /devices
  GET /devices/{id}
  PATCH /devices/{id}
  DELETE /devices/{id}
  GET /devices/{id}/frame
  GET /stream
  GET /images/{day}/{name}
  POST /alerts/rules/preview
  POST /users/me/webhook/deliveries/{id}/redeliver
  POST /admin/users
  GET /admin/users
  POST /admin/users/{id}/quota/top-up
  PUT /admin/users/{id}/quota
  PUT /admin/devices/{id}/quota
  GET /admin/compute-nodes
  POST /admin/announcements
`);

function lines(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) => line.trim());
}
