-- For administrators, who look for one action among the many entries of viewed pictures.
CREATE INDEX "AuditEntry_action_idx" ON "AuditEntry"("action", "at" DESC, "id" DESC);
