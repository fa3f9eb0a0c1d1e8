# What trick-CP needs: the folder of the integration, and Fender as pkg-config finds it (PKG_CONFIG_PATH).
FENDER_TRICK := $(abspath $(CURDIR)/..)
TRICK_CFLAGS += -I$(FENDER_TRICK) -I$(FENDER_TRICK)/include $(shell pkg-config --cflags fender_io)
TRICK_CXXFLAGS += -I$(FENDER_TRICK) -I$(FENDER_TRICK)/include
TRICK_USER_LINK_LIBS += $(shell pkg-config --libs fender_io) $(shell pkg-config --libs-only-L fender_io | sed 's/-L/-Wl,-rpath,/g')
