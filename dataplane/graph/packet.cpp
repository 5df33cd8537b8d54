#include "dataplane/graph/packet.h"

#include <algorithm>
#include <cstring>

namespace sluice {

bool make_headers_contiguous(rte_mbuf* mbuf, uint32_t bytes) {
  const uint32_t wanted = std::min(mbuf->pkt_len, bytes);
  if (mbuf->data_len >= wanted) return true;
  // Data that others share must not be moved about, and a full segment cannot take more.
  const uint32_t missing = wanted - mbuf->data_len;
  if (!RTE_MBUF_DIRECT(mbuf) || rte_mbuf_refcnt_read(mbuf) != 1 || rte_pktmbuf_tailroom(mbuf) < missing) return false;

  uint32_t left = missing;
  while (left > 0) {
    rte_mbuf* next = mbuf->next;
    const auto taken = static_cast<uint16_t>(std::min<uint32_t>(left, next->data_len));
    std::memcpy(rte_pktmbuf_mtod_offset(mbuf, uint8_t*, mbuf->data_len), rte_pktmbuf_mtod(next, uint8_t*), taken);
    mbuf->data_len = static_cast<uint16_t>(mbuf->data_len + taken);
    left -= taken;
    if (taken == next->data_len) {
      mbuf->next = next->next;
      --mbuf->nb_segs;
      next->next = nullptr;
      next->nb_segs = 1;
      rte_pktmbuf_free_seg(next);
    } else {
      next->data_off = static_cast<uint16_t>(next->data_off + taken);
      next->data_len = static_cast<uint16_t>(next->data_len - taken);
    }
  }
  return true;
}

}  // namespace sluice
