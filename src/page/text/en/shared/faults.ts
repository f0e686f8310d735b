type Words = Readonly<Record<'title' | 'advice', string>>;

/** What is wrong with a camera, by the reason of the API: what it means and what to do. */
export const faults = {
  offline: {
    title: 'No pictures come from the camera',
    advice: 'Check its power and network. Restart the camera if it stays like this.',
  },
  failed: { title: 'Counting cannot run', advice: 'Tell your operator.' },
  old: {
    title: 'No new numbers come',
    advice: 'Counting may be starting again. Tell your operator if it lasts longer than some minutes.',
  },
  unknown: { title: 'Counting has a problem', advice: 'Tell your operator.' },
  host_unknown: {
    title: 'The camera’s address is not known in the network',
    advice: 'Check the name in the camera address, or use the IP address of the camera.',
  },
  unreachable: {
    title: 'There is no way to the camera',
    advice: 'Check that the camera has power and that its network cable or Wi-Fi works.',
  },
  connection_refused: {
    title: 'The camera refuses the connection',
    advice: 'Check the port in the camera address, and that streaming is switched on in the camera.',
  },
  timeout: {
    title: 'The camera does not answer',
    advice: 'Check its power and network. Restart the camera if it stays like this.',
  },
  wrong_credentials: {
    title: 'The camera wants another user name or password',
    advice: 'Correct them in the camera address.',
  },
  access_denied: {
    title: 'This user may not see the stream',
    advice: 'Give the user the right to view in the settings of the camera, or use another user.',
  },
  no_such_stream: {
    title: 'The camera does not have this stream',
    advice: 'Check the path in the camera address; the manual of the camera names it.',
  },
  no_video: {
    title: 'The stream has no picture',
    advice: 'Choose the video stream in the camera address.',
  },
  not_a_camera: {
    title: 'Something else than a camera answers there',
    advice: 'Check the camera address: it may lead to the web page of the camera.',
  },
  address_not_allowed: {
    title: 'The service may not connect to this address',
    advice: 'Ask your operator to allow the address of the camera, or its network.',
  },
  old_ffmpeg: {
    title: 'The service cannot read the video of the camera',
    advice: 'Tell your operator that its video software is too old.',
  },
  tls_failed: {
    title: 'No secure connection to the camera is possible',
    advice: 'Check the certificate of the camera, or use rtsp instead of rtsps.',
  },
  server_error: { title: 'The camera reports an error of its own', advice: 'Restart the camera.' },
  too_many_viewers: {
    title: 'Too many viewers use the camera already',
    advice: 'Close other players and recorders of this camera, or allow more of them in its settings.',
  },
  broken_off: {
    title: 'The connection to the camera breaks off',
    advice: 'Check the network. Too many viewers of one camera can cause it too.',
  },
  unreadable: {
    title: 'The video of the camera cannot be read',
    advice: 'Try H.264 in the settings of the camera.',
  },
  no_frames: {
    title: 'The camera is connected but sends no picture',
    advice: 'Wait a minute; then restart the camera.',
  },
  damaged_video: {
    title: 'The video arrives damaged',
    advice: 'Check the network to the camera, or lower its bit rate.',
  },
  blank_picture: {
    title: 'The picture is empty',
    advice: 'Check that nothing covers the lens and that there is light.',
  },
  node_silent: {
    title: 'The computer that counts here does not answer',
    advice: 'Another one takes over by itself. Tell the operator if it lasts longer than a minute.',
  },
  unchanging_picture: {
    title: 'The picture does not change',
    advice: 'It may be frozen, so the numbers may be wrong. Restart the camera if people are there.',
  },
  view_changed: {
    title: 'The camera looks somewhere else than before',
    advice: 'Turn it back, or draw the zones again.',
  },
  picture_turned: {
    title: 'People are seen only in the turned picture',
    advice: 'Set in the settings of the camera how its picture is turned, then draw the zones again.',
  },
  overloaded: {
    title: 'The computer that counts is too busy at the moment',
    advice: 'Short visits may be missed. Tell your operator if it stays like this.',
  },
  slow_camera: {
    title: 'The camera sends too few pictures',
    advice: 'Raise its frame rate, or check the network.',
  },
  analysis_stream_differs: {
    title: 'The second stream of the camera has another shape than the first',
    advice: 'The first one is used meanwhile. Set both to the same aspect ratio in the camera.',
  },
  analysis_stream_offline: {
    title: 'The second stream of the camera sends no pictures',
    advice: 'The first one is used meanwhile. Check the second stream in the camera.',
  },
  people_beside_zone: {
    title: 'People often stand just outside a zone and are not counted',
    advice: 'Their legs are hidden. Open the zones of the camera and look at the proposed one.',
  },
} as { readonly unknown: Words; readonly [reason: string]: Words | undefined };
