-- Before the records lie in partitions: there the primary key, which is only the id, becomes an ordinary index. A statement of its own,
-- because it holds up no writer so.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "AttributeRecord_id_idx" ON "AttributeRecord"("id");
