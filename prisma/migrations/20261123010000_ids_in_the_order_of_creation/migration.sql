-- An id holds its time to the quarter of a microsecond (RFC 9562, section 6.2, method 3), not to the millisecond.
-- Lists are sorted by creation time and then by id: rows that one transaction writes in one millisecond, such as the
-- opening of a counter and its first charge, stay in the order in which they were written.
CREATE OR REPLACE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
  SELECT encode(
    overlay(uuid_send(gen_random_uuid())
      PLACING int8send(((us / 1000) << 16) | x'7000'::bigint | ((us % 1000) * 4096 / 1000))
      FROM 1 FOR 8),
    'hex')::uuid
  FROM (SELECT floor(extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS us) AS now
$$;
