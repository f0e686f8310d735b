-- For the list of events, newest first. Alone in its migration, because only a single statement may run beside writes.
CREATE INDEX CONCURRENTLY "Event_userId_occurredAt_id_type_idx" ON "Event"("userId", "occurredAt" DESC, "id" DESC, "type");
