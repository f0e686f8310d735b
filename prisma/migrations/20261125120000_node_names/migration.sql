-- The name of a node is its identity. Where several rows have one name, that of the newest heartbeat keeps it; the others
-- are nodes of workers that lost their DATA_DIR, or of machines with equal names, and get the end of their id behind it.
ALTER TABLE "ComputeNode" ADD COLUMN "leftAt" TIMESTAMPTZ(3);

UPDATE "ComputeNode" n
SET name = left(n.name, 91) || '-' || right(n.id::text, 8)
FROM (SELECT id, row_number() OVER (PARTITION BY name ORDER BY "lastHeartbeatAt" DESC, id) AS place
      FROM "ComputeNode") same
WHERE same.id = n.id AND same.place > 1;

CREATE UNIQUE INDEX "ComputeNode_name_key" ON "ComputeNode"(name);
