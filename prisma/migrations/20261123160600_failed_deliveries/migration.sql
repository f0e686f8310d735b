-- For recovering events whose delivery failed finally. Alone in its migration, because only a single statement may run beside writes.
CREATE INDEX CONCURRENTLY "WebhookDelivery_failed_idx" ON "WebhookDelivery"("userId", "createdAt") WHERE status = 'failed' AND "isFinalAttempt";
